/** The values of the texts of the web app. Generated from en.json by `npm run locales`. */
export interface TextValues {
  readonly 'settings.mailboxSince': { readonly address: string | number; readonly day: string | number }
  readonly 'settings.mailboxServers': { readonly servers: string | number }
  readonly 'settings.since': { readonly when: string | number }
  readonly 'settings.used': { readonly when: string | number }
  readonly 'settings.revokeSure': { readonly name: string | number }
  readonly 'settings.until': { readonly when: string | number }
  readonly 'memory.erased': { readonly what: string | number }
  readonly 'memory.remembered': { readonly what: string | number }
  readonly 'admin.roleOf': { readonly name: string | number }
  readonly 'admin.more': { readonly name: string | number }
  readonly 'admin.resetHint': { readonly name: string | number }
  readonly 'admin.shutOutSure': { readonly name: string | number }
  readonly 'admin.eraseSure': { readonly name: string | number }
  readonly 'admin.erased': { readonly name: string | number }
  readonly 'admin.members': { readonly n: number }
  readonly 'admin.removeGroupSure': { readonly name: string | number }
  readonly 'admin.putInto': { readonly name: string | number }
  readonly 'admin.takeOut': { readonly name: string | number }
  readonly 'admin.ofWhom': { readonly name: string | number }
  readonly 'admin.limitGone': { readonly what: string | number }
  readonly 'problem.signedInAs': { readonly name: string | number }
  readonly 'access.of': { readonly source: string | number; readonly whom: string | number }
  readonly 'access.unsaved': { readonly n: number }
  readonly 'access.page': { readonly name: string | number }
  readonly 'access.ownCollections': { readonly n: string | number }
  readonly 'access.ownTeams': { readonly n: string | number }
  readonly 'retention.days': { readonly n: number }
  readonly 'designer.check': { readonly n: string | number }
  readonly 'designer.removeCheck': { readonly n: string | number }
  readonly 'designer.faults': { readonly n: number }
  readonly 'data.find': { readonly n: number }
  readonly 'data.readOnly': { readonly dialect: string | number }
  readonly 'data.about': { readonly rows: string | number }
  readonly 'data.around': { readonly table: string | number }
  readonly 'data.more': { readonly n: string | number }
  readonly 'data.rowsOf': { readonly table: string | number }
  readonly 'data.unfilter': { readonly what: string | number }
  readonly 'data.askAbout': { readonly table: string | number }
  readonly 'data.termsFrom': { readonly path: string | number }
  readonly 'data.on': { readonly database: string | number }
  readonly 'data.wanted.number': { readonly column: string | number; readonly value: string | number }
  readonly 'data.wanted.day': { readonly column: string | number; readonly value: string | number }
  readonly 'data.sortUp': { readonly column: string | number }
  readonly 'data.sortDown': { readonly column: string | number }
  readonly 'data.unsort': { readonly column: string | number }
  readonly 'data.runsSince': { readonly seconds: string | number }
  readonly 'data.line': { readonly line: string | number; readonly column: string | number }
  readonly 'teams.goalExample': { readonly question: string | number }
  readonly 'teams.version': { readonly n: string | number }
  readonly 'teams.mustHold': { readonly what: string | number }
  readonly 'teams.calls': { readonly tool: string | number }
  readonly 'teams.most.calls': { readonly n: string | number }
  readonly 'teams.most.tokens': { readonly n: string | number }
  readonly 'teams.most.cost': { readonly n: string | number }
  readonly 'teams.sure': { readonly isShared: boolean }
  readonly 'skills.steps': { readonly n: number }
  readonly 'skills.sure': { readonly task: string | number }
  readonly 'servers.tools': { readonly n: number }
  readonly 'servers.waiting': { readonly n: number }
  readonly 'servers.acceptTitle': { readonly server: string | number }
  readonly 'servers.keepOff': { readonly n: number }
  readonly 'servers.gone': { readonly tools: string | number }
  readonly 'servers.leftOut': { readonly why: string | number }
  readonly 'dashboard.days': { readonly n: number }
  readonly 'dashboard.cut': { readonly n: string | number }
  readonly 'dashboard.quantiles': { readonly median: string | number; readonly slow: string | number }
  readonly 'dashboard.runsWith': { readonly n: string | number; readonly name: string | number }
  readonly 'compare.asked': { readonly fields: string | number }
  readonly 'compare.differences': { readonly n: number }
  readonly 'compare.stepsSame': {
    readonly n: string | number
    readonly all: string | number
    readonly others: string | number
  }
  readonly 'compare.inWhat': { readonly what: string | number }
  readonly 'compare.less': { readonly share: string | number }
  readonly 'compare.more': { readonly share: string | number }
  readonly 'trace.part': { readonly from: string | number; readonly until: string | number }
  readonly 'trace.only': { readonly agent: string | number }
  readonly 'trace.shows': { readonly n: string | number; readonly all: string | number }
  readonly 'trace.errors': { readonly n: number }
  readonly 'runsLook.since': { readonly when: string | number }
  readonly 'runsLook.until': { readonly when: string | number }
  readonly 'runsLook.between': { readonly from: string | number; readonly until: string | number }
  readonly 'runsLook.without': { readonly filter: string | number }
  readonly 'runsLook.runs': { readonly isOne: boolean; readonly n: string | number }
  readonly 'runsLook.latest': { readonly n: string | number }
  readonly 'runsLook.within': { readonly span: string | number; readonly runs: string | number }
  readonly 'runsLook.declined': { readonly n: string | number }
  readonly 'runsLook.failed': { readonly n: string | number }
  readonly 'runsLook.fresh': { readonly n: string | number }
  readonly 'palette.ask': { readonly words: string | number }
  readonly 'document.pageOf': { readonly page: string | number; readonly pages: string | number }
  readonly 'document.count': { readonly n: number }
  readonly 'document.found': { readonly n: number }
  readonly 'collections.count': { readonly n: number }
  readonly 'collections.sure': { readonly name: string | number }
  readonly 'collections.readers': { readonly names: string | number }
  readonly 'collections.editors': { readonly names: string | number }
  readonly 'collections.takeAway': { readonly name: string | number }
  readonly 'collections.some': { readonly n: number }
  readonly 'conversations.removed': { readonly title: string | number }
  readonly 'conversations.turns': { readonly n: number }
  readonly 'shared.lead': { readonly at: string | number }
  readonly 'shared.until': { readonly at: string | number }
  readonly 'schedules.onceAt': { readonly when: string | number }
  readonly 'schedules.wasAt': { readonly when: string | number }
  readonly 'schedules.byCron': { readonly cron: string | number; readonly zone: string | number }
  readonly 'schedules.at.daily': { readonly time: string | number; readonly zone: string | number }
  readonly 'schedules.at.weekdays': { readonly time: string | number; readonly zone: string | number }
  readonly 'schedules.at.weekly': { readonly time: string | number; readonly zone: string | number }
  readonly 'schedules.at.monthly': { readonly time: string | number; readonly zone: string | number }
  readonly 'schedules.next': { readonly when: string | number }
  readonly 'schedules.again': { readonly when: string | number }
  readonly 'evaluations.runHint': { readonly n: number }
  readonly 'evaluations.under': { readonly done: string | number; readonly asked: string | number }
  readonly 'evaluations.cancelled': { readonly done: string | number; readonly asked: string | number }
  readonly 'evaluations.calls': { readonly n: number }
  readonly 'evaluations.slow': { readonly time: string | number }
  readonly 'evaluations.was': { readonly before: string | number }
  readonly 'evaluations.of': { readonly n: string | number; readonly all: string | number }
  readonly 'evaluations.expects': { readonly what: string | number }
  readonly 'evaluations.counts': {
    readonly right: string | number
    readonly declined: string | number
    readonly wrong: string | number
    readonly failed: string | number
  }
  readonly 'evaluations.added': { readonly n: number }
  readonly 'evaluations.count': { readonly n: number }
  readonly 'evaluations.removeCase': { readonly question: string | number }
  readonly 'evaluations.removedCase': { readonly question: string | number }
  readonly 'evaluations.sureSet': { readonly set: string | number }
  readonly 'evaluations.noNumber': { readonly text: string | number }
  readonly 'empty.count.database': { readonly n: number }
  readonly 'empty.count.documents': { readonly n: number }
  readonly 'empty.count.api': { readonly n: number }
  readonly 'empty.count.mcp': { readonly n: number }
  readonly 'step.all': { readonly n: number }
  readonly 'step.some': { readonly done: string | number; readonly all: string | number }
  readonly 'step.attempt': { readonly n: string | number }
  readonly 'step.rows': { readonly isOne: boolean; readonly n: string | number }
  readonly 'answer.version': { readonly at: string | number; readonly all: string | number }
  readonly 'answer.download': { readonly name: string | number }
  readonly 'answer.cut': { readonly shown: string | number }
  readonly 'decided.scopes.run': { readonly to: string | number }
  readonly 'decided.scopes.conversation': { readonly to: string | number }
  readonly 'decided.scopes.always': { readonly to: string | number }
  readonly 'decided.kinds.call': { readonly tool: string | number }
  readonly 'decided.wasAnswered': { readonly by: string | number; readonly at: string | number }
  readonly 'decided.sendRequest': { readonly what: string | number; readonly to: string | number }
  readonly 'planEdit.task': { readonly n: string | number }
  readonly 'planEdit.noWords': { readonly n: string | number }
  readonly 'planEdit.chooseAfter': { readonly name: string | number }
  readonly 'planEdit.likely': {
    readonly runs: number
    readonly time: string | number
    readonly calls: number
    readonly cost: string | number
  }
  readonly 'planEdit.notCounted': { readonly agents: string | number }
  readonly quoted: { readonly text: string | number }
  readonly 'facts.calls': { readonly n: number }
  readonly 'facts.changes': { readonly tools: string | number }
  readonly 'facts.tokens': { readonly n: string | number }
  readonly 'reading.turn': { readonly n: string | number }
  readonly 'reading.firstRows': { readonly n: string | number }
  readonly 'reading.refused': { readonly n: number }
  readonly 'news.waits': { readonly n: number }
  readonly 'composer.someSources': { readonly on: string | number; readonly all: string | number }
  readonly 'panel.page': { readonly isSheet: boolean; readonly n: string | number }
  readonly 'approval.waiting': { readonly n: number }
  readonly 'approval.wasApproved': { readonly by: string | number; readonly at: string | number }
  readonly 'approval.wasDenied': { readonly by: string | number; readonly at: string | number }
  readonly 'approval.stranger': { readonly who: string | number }
  readonly 'approval.sure': { readonly who: string | number }
  readonly 'approval.callTool': { readonly tool: string | number }
  readonly 'approval.callServerTool': { readonly tool: string | number; readonly server: string | number }
  readonly 'documents.removed': { readonly name: string | number }
  readonly 'documents.pages': { readonly isSheet: boolean; readonly n: number }
  readonly 'documents.more': { readonly names: string | number; readonly n: string | number }
  readonly 'documents.uploading': { readonly name: string | number; readonly percent: string | number }
  readonly 'documents.reading': { readonly name: string | number }
  readonly 'agentsPage.well': { readonly n: number }
  readonly 'agentsPage.failed': { readonly n: string | number; readonly all: string | number }
  readonly 'agentsPage.declinedAll': { readonly n: number }
  readonly 'agentsPage.declinedSome': { readonly n: string | number; readonly all: string | number }
  readonly 'setup.ready': { readonly n: string | number }
  readonly 'setup.protections': { readonly names: string | number }
  readonly 'setup.weak': { readonly what: string | number }
  readonly 'setup.disconnectSure': { readonly name: string | number }
  readonly 'setup.files': { readonly n: number }
}
