/** The texts of the web app. Generated from en.json by `npm run locales`. */
export interface Words {
  readonly role: {
    readonly viewer: string
    readonly member: string
    readonly admin: string
  }
  readonly scope: {
    readonly read: string
    readonly ask: string
    readonly decide: string
    readonly documents: string
    readonly admin: string
  }
  readonly limit: {
    readonly measure: {
      readonly cost: string
      readonly tokens: string
      readonly runs: string
      readonly storage: string
    }
    readonly period: {
      readonly day: string
      readonly month: string
      readonly ever: string
    }
    readonly unit: {
      readonly cost: string
      readonly tokens: string
      readonly runs: string
      readonly storage: string
    }
  }
  readonly settings: {
    readonly title: string
    readonly general: string
    readonly memory: string
    readonly security: string
    readonly keys: string
    readonly noAccount: string
    readonly noAccountHint: string
    readonly profile: string
    readonly looks: string
    readonly numbers: string
    readonly numbersAsLanguage: string
    readonly language: string
    readonly limits: string
    readonly limitsLead: string
    readonly noLimits: string
    readonly firstAccount: string
    readonly firstAccountLead: string
    readonly firstAccountHint: string
    readonly mailbox: string
    readonly mailboxLead: string
    readonly mailboxClosed: string
    readonly mailboxNone: string
    readonly mailboxSince: (values: { readonly address: string | number; readonly day: string | number }) => string
    readonly mailboxAddress: string
    readonly mailboxUser: string
    readonly mailboxImap: string
    readonly mailboxServers: (values: { readonly servers: string | number }) => string
    readonly mailboxSmtp: string
    readonly mailboxSmtpHint: string
    readonly mailboxPasswordHint: string
    readonly mailboxKeep: string
    readonly mailboxTrying: string
    readonly mailboxErase: string
    readonly mailboxEraseSure: string
    readonly passwordLead: string
    readonly passwordNow: string
    readonly passwordNew: string
    readonly passwordChange: string
    readonly passwordChanged: string
    readonly secondFactor: string
    readonly secondFactorLead: string
    readonly isOn: string
    readonly isOff: string
    readonly wrongCode: string
    readonly secretHint: string
    readonly qrCode: string
    readonly secretByHand: string
    readonly openApp: string
    readonly code: string
    readonly turnOn: string
    readonly turnOff: string
    readonly ofProvider: string
    readonly ownDataAgain: string
    readonly signInAgain: string
    readonly ownData: string
    readonly ownDataLead: string
    readonly ownDataExport: string
    readonly ownDataSaved: string
    readonly ownDataErase: string
    readonly ownDataSure: string
    readonly confirm: string
    readonly sessions: string
    readonly since: (values: { readonly when: string | number }) => string
    readonly used: (values: { readonly when: string | number }) => string
    readonly thisOne: string
    readonly noKeys: string
    readonly noKeysHint: string
    readonly newKey: string
    readonly newKeyLead: string
    readonly keyName: string
    readonly expires: string
    readonly days: {
      readonly '30': string
      readonly '90': string
      readonly '365': string
      readonly '': string
    }
    readonly may: string
    readonly scopeHint: {
      readonly read: string
      readonly ask: string
      readonly decide: string
      readonly documents: string
      readonly admin: string
    }
    readonly keyOnce: string
    readonly makeKey: string
    readonly revoke: string
    readonly revokeSure: (values: { readonly name: string | number }) => string
    readonly neverExpires: string
    readonly neverUsed: string
    readonly until: (values: { readonly when: string | number }) => string
  }
  readonly memory: {
    readonly lead: string
    readonly none: string
    readonly noneHint: string
    readonly facts: string
    readonly factsLead: string
    readonly preferences: string
    readonly preferencesLead: string
    readonly field: {
      readonly userName: string
      readonly companyName: string
      readonly jobTitle: string
      readonly recentProjects: string
      readonly tone: string
      readonly detailLevel: string
      readonly language: string
    }
    readonly byYou: string
    readonly byRun: string
    readonly correct: string
    readonly erase: string
    readonly erased: (values: { readonly what: string | number }) => string
    readonly remembered: (values: { readonly what: string | number }) => string
    readonly eraseAll: string
    readonly eraseSure: string
    readonly fromNow: string
    readonly never: string
  }
  readonly admin: {
    readonly title: string
    readonly people: string
    readonly groups: string
    readonly access: string
    readonly limits: string
    readonly audit: string
    readonly setup: string
    readonly everyone: string
    readonly peopleLead: string
    readonly noPeople: string
    readonly noPeopleHint: string
    readonly invite: string
    readonly you: string
    readonly isOut: string
    readonly role: string
    readonly roleOf: (values: { readonly name: string | number }) => string
    readonly roleHint: {
      readonly viewer: string
      readonly member: string
      readonly admin: string
    }
    readonly more: (values: { readonly name: string | number }) => string
    readonly username: string
    readonly usernameHint: string
    readonly usernameNeeded: string
    readonly makeLink: string
    readonly invited: string
    readonly invitations: string
    readonly invitationsLead: string
    readonly invitationOf: (values: {
      readonly who: string | number
      readonly made: string | number
      readonly until: string | number
    }) => string
    readonly withdrawInvitation: (values: { readonly role: string | number; readonly who: string | number }) => string
    readonly resetLink: string
    readonly resetHint: (values: { readonly name: string | number }) => string
    readonly dropFactor: string
    readonly shutOut: string
    readonly shutOutSure: (values: { readonly name: string | number }) => string
    readonly letIn: string
    readonly export: string
    readonly erase: string
    readonly eraseSure: (values: { readonly name: string | number }) => string
    readonly eraseName: (values: { readonly name: string | number }) => string
    readonly erased: (values: { readonly name: string | number }) => string
    readonly newGroup: string
    readonly noGroups: string
    readonly noGroupsHint: string
    readonly members: (values: { readonly n: number }) => string
    readonly removeGroup: string
    readonly removeGroupSure: (values: { readonly name: string | number }) => string
    readonly limitsGo: (values: { readonly n: number }) => string
    readonly addMember: string
    readonly putInto: (values: { readonly name: string | number }) => string
    readonly takeOut: (values: { readonly name: string | number }) => string
    readonly source: string
    readonly level: {
      readonly none: string
      readonly reader: string
      readonly editor: string
    }
    readonly gifts: string
    readonly giftsLead: string
    readonly noGifts: string
    readonly withdraw: string
    readonly withdrawFrom: (values: { readonly name: string | number; readonly whom: string | number }) => string
    readonly ofWhom: (values: { readonly name: string | number }) => string
    readonly whoMay: string
    readonly whoMayLead: string
    readonly noSources: string
    readonly noSourcesHint: string
    readonly newLimit: string
    readonly newLimitLead: string
    readonly forWhom: string
    readonly ofWhat: string
    readonly howLong: string
    readonly noLimits: string
    readonly noLimitsHint: string
    readonly dropLimit: string
    readonly limitGone: (values: { readonly what: string | number }) => string
    readonly commandLine: string
    readonly auditLead: string
    readonly noAudit: string
    readonly noSuchAudit: string
    readonly change: string
    readonly audited: {
      readonly 'add person': string
      readonly invite: string
      readonly 'withdraw invitation': string
      readonly 'reset password': string
      readonly 'take second factor': string
      readonly 'set role': string
      readonly 'disable person': string
      readonly 'enable person': string
      readonly 'export person': string
      readonly 'erase person': string
      readonly 'create group': string
      readonly 'remove group': string
      readonly 'add to group': string
      readonly 'remove from group': string
      readonly 'give source': string
      readonly 'take source': string
      readonly 'create collection': string
      readonly 'rename collection': string
      readonly 'remove collection': string
      readonly 'give collection': string
      readonly 'take collection': string
      readonly 'set limit': string
      readonly 'set mailbox': string
      readonly 'erase mailbox': string
      readonly 'read executions': string
      readonly 'read access': string
      readonly 'read stored table': string
      readonly 'accept tools': string
      readonly 'connect source': string
      readonly 'disconnect source': string
      readonly 'keep verified question': string
    }
    readonly changed: Readonly<Record<string, string | undefined>>
    readonly limitOf: (values: {
      readonly what: string | number
      readonly most: string | number
      readonly period: string | number
    }) => string
    readonly noLimitOf: (values: { readonly what: string | number; readonly period: string | number }) => string
    readonly setupLead: string
    readonly model: string
    readonly storage: string
    readonly provider: string
    readonly defaults: string
    readonly defaultsLead: string
    readonly noDefaults: string
  }
  readonly problem: {
    readonly title: string
    readonly noServer: string
    readonly notFound: string
    readonly noConversation: string
    readonly noRun: string
    readonly signedInAs: (values: { readonly name: string | number }) => string
    readonly asAnother: string
    readonly home: string
    readonly forAdmins: string
    readonly forAdminsHint: string
  }
  readonly access: {
    readonly seeAs: string
    readonly kind: {
      readonly data: string
      readonly documents: string
      readonly tools: string
    }
    readonly move: string
    readonly levelHint: {
      readonly none: string
      readonly reader: string
      readonly editor: string
    }
    readonly of: (values: { readonly source: string | number; readonly whom: string | number }) => string
    readonly unsaved: (values: { readonly n: number }) => string
    readonly effects: string
    readonly gains: {
      readonly use: string
      readonly viewer: string
      readonly edit: string
      readonly share: string
    }
    readonly loses: {
      readonly use: string
      readonly viewer: string
      readonly edit: string
      readonly share: string
    }
    readonly noEffect: string
    readonly page: (values: { readonly name: string | number }) => string
    readonly pageLead: string
    readonly back: string
    readonly isOut: string
    readonly groups: string
    readonly noGroups: string
    readonly mainMailbox: string
    readonly sources: string
    readonly leaveSure: (values: { readonly n: number }) => string
    readonly given: string
    readonly notGiven: string
    readonly because: {
      readonly own: string
      readonly admin: string
    }
    readonly personally: string
    readonly everyone: string
    readonly group: (values: { readonly name: string | number }) => string
    readonly mailbox: string
    readonly mailboxHint: string
    readonly collections: string
    readonly noCollections: string
    readonly ownCollections: (values: { readonly n: string | number }) => string
    readonly noAgents: string
    readonly agents: string
    readonly teams: string
    readonly noTeams: string
    readonly ownTeams: (values: { readonly n: string | number }) => string
    readonly notTold: string
  }
  readonly retention: {
    readonly title: string
    readonly keptTitle: string
    readonly keptLead: string
    readonly kind: {
      readonly runs: string
      readonly conversations: string
      readonly uploads: string
      readonly sessions: string
      readonly invitations: string
      readonly resets: string
      readonly unfinished: string
      readonly repeats: string
      readonly skills: string
      readonly memory: string
      readonly usage: string
      readonly audit: string
    }
    readonly forEver: string
    readonly days: (values: { readonly n: number }) => string
    readonly how: {
      readonly set: string
      readonly fixed: string
      readonly byHand: string
      readonly never: string
    }
    readonly notSet: string
    readonly change: string
    readonly guide: string
    readonly sweeps: string
    readonly sweepsLead: string
    readonly never: string
    readonly notYet: string
    readonly next: (values: { readonly when: string | number }) => string
    readonly late: (values: { readonly when: string | number }) => string
    readonly amount: {
      readonly runs: (values: { readonly n: number }) => string
      readonly conversations: (values: { readonly n: number }) => string
      readonly uploads: (values: { readonly n: number }) => string
    }
    readonly nothing: string
    readonly waiting: (values: { readonly n: number }) => string
    readonly tryTitle: string
    readonly tryLead: string
    readonly field: {
      readonly runDays: string
      readonly conversationDays: string
      readonly uploadDays: string
    }
    readonly count: string
    readonly wouldGo: string
    readonly none: string
    readonly atLeast: string
    readonly paste: string
  }
  readonly designer: {
    readonly edit: string
    readonly add: string
    readonly redo: string
    readonly hint: string
    readonly circle: string
    readonly last: string
    readonly removed: string
    readonly remove: string
    readonly whole: string
    readonly purpose: string
    readonly name: string
    readonly memberLead: string
    readonly task: string
    readonly tools: string
    readonly find: string
    readonly gone: string
    readonly check: (values: { readonly n: string | number }) => string
    readonly removeCheck: (values: { readonly n: string | number }) => string
    readonly holds: string
    readonly faults: (values: { readonly n: number }) => string
    readonly next: string
    readonly send: string
  }
  readonly data: {
    readonly title: string
    readonly tables: string
    readonly terms: string
    readonly console: string
    readonly stored: string
    readonly database: string
    readonly none: string
    readonly noneHint: string
    readonly noTables: string
    readonly table: string
    readonly find: (values: { readonly n: number }) => string
    readonly noMatch: string
    readonly readOnly: (values: { readonly dialect: string | number }) => string
    readonly about: (values: { readonly rows: string | number }) => string
    readonly estimated: string
    readonly around: (values: { readonly table: string | number }) => string
    readonly more: (values: { readonly n: string | number }) => string
    readonly rowsOf: (values: { readonly table: string | number }) => string
    readonly filter: string
    readonly unfilter: (values: { readonly what: string | number }) => string
    readonly yes: string
    readonly no: string
    readonly unset: string
    readonly column: string
    readonly ask: string
    readonly askAbout: (values: { readonly table: string | number }) => string
    readonly before: string
    readonly next: string
    readonly noTerms: string
    readonly noTermsHint: string
    readonly termsTitle: string
    readonly termsLead: string
    readonly termsFrom: (values: { readonly path: string | number }) => string
    readonly verified: string
    readonly verifiedLead: string
    readonly noVerified: string
    readonly run: string
    readonly isReadOnly: string
    readonly on: (values: { readonly database: string | number }) => string
    readonly query: string
    readonly refused: string
    readonly history: string
    readonly historyLead: string
    readonly consoleHint: string
    readonly failed: string
    readonly how: {
      readonly is: string
      readonly not: string
      readonly has: string
      readonly ge: string
      readonly gt: string
      readonly le: string
      readonly lt: string
      readonly empty: string
      readonly filled: string
    }
    readonly sign: {
      readonly is: string
      readonly not: string
      readonly has: string
      readonly ge: string
      readonly gt: string
      readonly le: string
      readonly lt: string
      readonly empty: string
      readonly filled: string
    }
    readonly value: string
    readonly wanted: {
      readonly number: (values: { readonly column: string | number; readonly value: string | number }) => string
      readonly day: (values: { readonly column: string | number; readonly value: string | number }) => string
    }
    readonly add: string
    readonly asSql: string
    readonly asSqlHint: string
    readonly sortUp: (values: { readonly column: string | number }) => string
    readonly sortDown: (values: { readonly column: string | number }) => string
    readonly unsort: (values: { readonly column: string | number }) => string
    readonly stop: string
    readonly stopped: string
    readonly stoppedHint: string
    readonly runsSince: (values: { readonly seconds: string | number }) => string
    readonly late: string
    readonly wouldBeRefused: string
    readonly passes: string
    readonly gate: string
    readonly line: (values: { readonly line: string | number; readonly column: string | number }) => string
    readonly allowed: string
    readonly useThis: string
    readonly wall: Readonly<Record<string, string | undefined>>
  }
  readonly teams: {
    readonly title: string
    readonly lead: string
    readonly build: string
    readonly buildLead: string
    readonly goal: string
    readonly goalExample: (values: { readonly question: string | number }) => string
    readonly again: string
    readonly toTeams: string
    readonly name: string
    readonly nameHint: string
    readonly notUsed: string
    readonly unused: string
    readonly export: string
    readonly design: string
    readonly none: string
    readonly noneHint: string
    readonly version: (values: { readonly n: string | number }) => string
    readonly shared: string
    readonly members: string
    readonly versions: string
    readonly status: {
      readonly trial: string
      readonly ready: string
      readonly failed: string
      readonly removed: string
    }
    readonly inUse: string
    readonly use: string
    readonly changed: string
    readonly checks: string
    readonly checksLead: string
    readonly mustHold: (values: { readonly what: string | number }) => string
    readonly calls: (values: { readonly tool: string | number }) => string
    readonly terms: string
    readonly limits: string
    readonly most: {
      readonly calls: (values: { readonly n: string | number }) => string
      readonly tokens: (values: { readonly n: string | number }) => string
      readonly cost: (values: { readonly n: string | number }) => string
      readonly share: string
    }
    readonly told: string
    readonly askedFor: string
    readonly ask: string
    readonly run: string
    readonly rename: string
    readonly remove: string
    readonly sure: (values: { readonly isShared: boolean }) => string
  }
  readonly skills: {
    readonly title: string
    readonly lead: string
    readonly none: string
    readonly noneHint: string
    readonly status: {
      readonly candidate: string
      readonly trusted: string
      readonly quarantined: string
    }
    readonly helped: (values: { readonly helped: string | number; readonly hurt: string | number }) => string
    readonly steps: (values: { readonly n: number }) => string
    readonly verdict: string
    readonly auto: string
    readonly forget: string
    readonly sure: (values: { readonly task: string | number }) => string
  }
  readonly servers: {
    readonly title: string
    readonly lead: string
    readonly none: string
    readonly noneHint: string
    readonly tools: (values: { readonly n: number }) => string
    readonly answers: string
    readonly isDown: string
    readonly effect: {
      readonly read: string
      readonly write: string
      readonly irreversible: string
    }
    readonly waiting: (values: { readonly n: number }) => string
    readonly waitingHint: string
    readonly accept: string
    readonly acceptMore: string
    readonly acceptTitle: (values: { readonly server: string | number }) => string
    readonly keepOff: (values: { readonly n: number }) => string
    readonly reason: string
    readonly reasonExample: string
    readonly reasonHint: string
    readonly because: (values: {
      readonly who: string | number
      readonly when: string | number
      readonly reason: string | number
    }) => string
    readonly changed: string
    readonly says: {
      readonly reads: string
      readonly changes: string
    }
    readonly added: string
    readonly gone: (values: { readonly tools: string | number }) => string
    readonly leftOut: (values: { readonly why: string | number }) => string
  }
  readonly dashboard: {
    readonly title: string
    readonly period: string
    readonly days: (values: { readonly n: number }) => string
    readonly lead: string
    readonly leadOfAdmin: string
    readonly executionsOf: (values: { readonly name: string | number }) => string
    readonly none: string
    readonly cut: (values: { readonly n: string | number }) => string
    readonly people: string
    readonly peopleLead: string
    readonly noPeople: string
    readonly perDay: string
    readonly outcome: {
      readonly answered: string
      readonly partly: string
      readonly declined: string
      readonly failed: string
      readonly other: string
    }
    readonly latency: string
    readonly few: (values: {
      readonly n: string | number
      readonly fast: string | number
      readonly slow: string | number
    }) => string
    readonly quantiles: (values: { readonly median: string | number; readonly slow: string | number }) => string
    readonly noLatency: string
    readonly models: string
    readonly noModels: string
    readonly runsWith: (values: { readonly n: string | number; readonly name: string | number }) => string
    readonly times: string
    readonly median: string
  }
  readonly fork: {
    readonly fromHere: string
    readonly lead: string
    readonly plannedAnew: string
    readonly planAnew: string
    readonly takePlan: string
    readonly prompt: string
    readonly promptHint: string
    readonly asBefore: string
    readonly begun: string
    readonly of: string
    readonly since: (values: { readonly step: string | number }) => string
    readonly open: string
    readonly compare: string
    readonly retry: string
  }
  readonly compare: {
    readonly action: string
    readonly tickTwo: string
    readonly tickAnother: string
    readonly swap: string
    readonly time: string
    readonly fields: Readonly<Record<string, string | undefined>>
    readonly asked: (values: { readonly fields: string | number }) => string
    readonly askedSame: string
    readonly whatDiffers: string
    readonly noneDiffers: string
    readonly differences: (values: { readonly n: number }) => string
    readonly next: string
    readonly previous: string
    readonly same: string
    readonly stepsSame: (values: {
      readonly n: string | number
      readonly all: string | number
      readonly others: string | number
    }) => string
    readonly sameAnswer: string
    readonly otherAnswer: string
    readonly samePlan: string
    readonly otherPlan: string
    readonly inWhat: (values: { readonly what: string | number }) => string
    readonly sides: {
      readonly actor: string
      readonly task: string
      readonly status: string
      readonly answer: string
      readonly table: string
      readonly data: string
      readonly error: string
    }
    readonly less: (values: { readonly share: string | number }) => string
    readonly more: (values: { readonly share: string | number }) => string
    readonly equal: string
    readonly steps: string
    readonly first: string
    readonly fork: string
    readonly notDone: string
    readonly isSame: string
    readonly differs: string
  }
  readonly apiDocs: {
    readonly title: string
    readonly lead: string
    readonly find: string
    readonly noMatch: string
    readonly body: string
    readonly tryIt: string
  }
  readonly trace: {
    readonly map: string
    readonly part: (values: { readonly from: string | number; readonly until: string | number }) => string
    readonly all: string
    readonly only: (values: { readonly agent: string | number }) => string
    readonly shows: (values: { readonly n: string | number; readonly all: string | number }) => string
    readonly errors: (values: { readonly n: number }) => string
  }
  readonly runsLook: {
    readonly showAll: string
    readonly both: string
    readonly agents: string
    readonly anyAgent: string
    readonly model: string
    readonly anyModel: string
    readonly since: (values: { readonly when: string | number }) => string
    readonly until: (values: { readonly when: string | number }) => string
    readonly between: (values: { readonly from: string | number; readonly until: string | number }) => string
    readonly without: (values: { readonly filter: string | number }) => string
    readonly overTime: string
    readonly from: string
    readonly to: string
    readonly runs: (values: { readonly isOne: boolean; readonly n: string | number }) => string
    readonly latest: (values: { readonly n: string | number }) => string
    readonly within: (values: { readonly span: string | number; readonly runs: string | number }) => string
    readonly declined: (values: { readonly n: string | number }) => string
    readonly failed: (values: { readonly n: string | number }) => string
    readonly fresh: (values: { readonly n: string | number }) => string
  }
  readonly palette: {
    readonly title: string
    readonly placeholder: string
    readonly narrow: {
      readonly '>': string
      readonly '#': string
      readonly '@': string
    }
    readonly conversations: string
    readonly actions: string
    readonly ask: (values: { readonly words: string | number }) => string
    readonly askAgent: string
    readonly help: string
    readonly guide: string
    readonly keys: {
      readonly search: {
        readonly keys: string
        readonly action: string
      }
      readonly newChat: {
        readonly keys: string
        readonly action: string
      }
      readonly options: {
        readonly keys: string
        readonly action: string
      }
      readonly sheet: {
        readonly keys: string
        readonly action: string
      }
      readonly mention: {
        readonly keys: string
        readonly action: string
      }
      readonly ask: {
        readonly keys: string
        readonly action: string
      }
      readonly traceErrors: {
        readonly keys: string
        readonly action: string
      }
      readonly differences: {
        readonly keys: string
        readonly action: string
      }
      readonly suggestions: {
        readonly keys: string
        readonly action: string
      }
      readonly list: {
        readonly keys: string
        readonly action: string
      }
      readonly approvals: {
        readonly keys: string
        readonly action: string
      }
      readonly connect: {
        readonly keys: string
        readonly action: string
      }
      readonly remove: {
        readonly keys: string
        readonly action: string
      }
      readonly undo: {
        readonly keys: string
        readonly action: string
      }
      readonly send: {
        readonly keys: string
        readonly action: string
      }
      readonly close: {
        readonly keys: string
        readonly action: string
      }
    }
  }
  readonly document: {
    readonly none: string
    readonly before: string
    readonly next: string
    readonly pageOf: (values: { readonly page: string | number; readonly pages: string | number }) => string
    readonly toPassage: string
    readonly asText: string
    readonly download: string
    readonly openPage: string
    readonly notDrawn: string
    readonly ofRun: string
    readonly ofCollection: string
    readonly noPassage: string
    readonly earlier: string
    readonly goOn: string
    readonly passages: string
    readonly count: (values: { readonly n: number }) => string
    readonly find: string
    readonly found: (values: { readonly n: number }) => string
    readonly noMatch: string
  }
  readonly collections: {
    readonly title: string
    readonly own: string
    readonly lead: string
    readonly none: string
    readonly noneHint: string
    readonly count: (values: { readonly n: number }) => string
    readonly isOwn: string
    readonly ofInstallation: string
    readonly given: string
    readonly reader: string
    readonly newOne: string
    readonly forAdmins: string
    readonly make: string
    readonly editLead: string
    readonly readLead: string
    readonly rename: string
    readonly remove: string
    readonly sure: (values: { readonly name: string | number }) => string
    readonly grants: string
    readonly grantsLead: string
    readonly nobody: string
    readonly giveTo: string
    readonly kind: {
      readonly everyone: string
      readonly group: string
      readonly user: string
    }
    readonly whose: {
      readonly user: string
    }
    readonly as: string
    readonly level: {
      readonly reader: string
      readonly editor: string
    }
    readonly allAdmins: string
    readonly looksAfter: string
    readonly isA: {
      readonly group: string
      readonly user: string
    }
    readonly pick: {
      readonly group: string
      readonly user: string
    }
    readonly choose: string
    readonly noneToPick: {
      readonly group: string
      readonly user: string
    }
    readonly inNoGroup: string
    readonly readers: (values: { readonly names: string | number }) => string
    readonly editors: (values: { readonly names: string | number }) => string
    readonly give: string
    readonly takeAway: (values: { readonly name: string | number }) => string
    readonly all: string
    readonly some: (values: { readonly n: number }) => string
    readonly only: string
  }
  readonly conversations: {
    readonly all: string
    readonly search: string
    readonly kept: {
      readonly all: string
      readonly pinned: string
      readonly archived: string
    }
    readonly none: string
    readonly noMatch: string
    readonly more: string
    readonly rename: string
    readonly title: string
    readonly pin: string
    readonly unpin: string
    readonly putAway: string
    readonly bringBack: string
    readonly isPutAway: (values: { readonly title: string | number }) => string
    readonly isBack: (values: { readonly title: string | number }) => string
    readonly remove: string
    readonly removed: (values: { readonly title: string | number }) => string
    readonly share: string
    readonly shareLead: string
    readonly lasts: string
    readonly withQueries: string
    readonly hasQueries: string
    readonly makeLink: string
    readonly once: string
    readonly links: string
    readonly turns: (values: { readonly n: number }) => string
    readonly withdraw: string
  }
  readonly shared: {
    readonly lead: (values: { readonly at: string | number }) => string
    readonly until: (values: { readonly at: string | number }) => string
    readonly none: string
    readonly noneHint: string
    readonly outside: string
    readonly query: string
  }
  readonly schedules: {
    readonly title: string
    readonly lead: string
    readonly add: string
    readonly none: string
    readonly noneHint: string
    readonly isPaused: string
    readonly pause: string
    readonly resume: string
    readonly runNow: string
    readonly change: string
    readonly remove: string
    readonly sure: string
    readonly question: string
    readonly when: string
    readonly kind: {
      readonly weekdays: string
      readonly daily: string
      readonly weekly: string
      readonly monthly: string
      readonly cron: string
      readonly once: string
      readonly bearer: string
      readonly signed: string
    }
    readonly time: string
    readonly moment: string
    readonly zone: string
    readonly cron: string
    readonly cronHint: string
    readonly mail: string
    readonly mailHint: string
    readonly webhook: string
    readonly webhookHint: string
    readonly make: string
    readonly once: string
    readonly copied: string
    readonly hookAddress: string
    readonly hookSecret: string
    readonly hookSignature: string
    readonly webhookSecret: string
    readonly whenCalled: string
    readonly whenSigned: string
    readonly onceAt: (values: { readonly when: string | number }) => string
    readonly wasAt: (values: { readonly when: string | number }) => string
    readonly byCron: (values: { readonly cron: string | number; readonly zone: string | number }) => string
    readonly at: {
      readonly daily: (values: { readonly time: string | number; readonly zone: string | number }) => string
      readonly weekdays: (values: { readonly time: string | number; readonly zone: string | number }) => string
      readonly weekly: (values: { readonly time: string | number; readonly zone: string | number }) => string
      readonly monthly: (values: { readonly time: string | number; readonly zone: string | number }) => string
    }
    readonly next: (values: { readonly when: string | number }) => string
    readonly answerGoes: string
    readonly inbox: string
    readonly times: string
    readonly timesLead: string
    readonly noTimes: string
    readonly answer: string
    readonly again: (values: { readonly when: string | number }) => string
    readonly status: {
      readonly due: string
      readonly running: string
      readonly sending: string
      readonly done: string
      readonly unanswered: string
      readonly refused: string
      readonly undelivered: string
    }
  }
  readonly executions: {
    readonly title: string
    readonly lead: string
    readonly agent: string
    readonly state: string
    readonly person: string
    readonly all: string
    readonly none: string
    readonly cut: (values: { readonly n: string | number }) => string
    readonly role: string
    readonly question: string
    readonly run: string
    readonly status: {
      readonly running: string
      readonly succeeded: string
      readonly failed: string
      readonly skipped: string
    }
  }
  readonly evaluations: {
    readonly title: string
    readonly results: string
    readonly cases: string
    readonly lead: string
    readonly run: string
    readonly runLead: string
    readonly sets: string
    readonly strategy: string
    readonly byCase: string
    readonly model: string
    readonly usual: string
    readonly start: string
    readonly shown: string
    readonly against: string
    readonly nothing: string
    readonly none: string
    readonly noneHint: string
    readonly runHint: (values: { readonly n: number }) => string
    readonly addCases: string
    readonly under: (values: { readonly done: string | number; readonly asked: string | number }) => string
    readonly cancelled: (values: { readonly done: string | number; readonly asked: string | number }) => string
    readonly stop: string
    readonly remove: string
    readonly sure: string
    readonly verdict: {
      readonly right: string
      readonly declined: string
      readonly wrong: string
      readonly failed: string
    }
    readonly median: string
    readonly cost: string
    readonly calls: (values: { readonly n: number }) => string
    readonly time: string
    readonly fromTo: (values: { readonly fast: string | number; readonly slow: string | number }) => string
    readonly counted: (values: { readonly n: number }) => string
    readonly slow: (values: { readonly time: string | number }) => string
    readonly was: (values: { readonly before: string | number }) => string
    readonly of: (values: { readonly n: string | number; readonly all: string | number }) => string
    readonly bySet: string
    readonly allCases: string
    readonly filter: {
      readonly worst: string
      readonly bad: string
      readonly wrong: string
      readonly all: string
    }
    readonly expected: string
    readonly expects: (values: { readonly what: string | number }) => string
    readonly answered: string
    readonly before: string
    readonly now: string
    readonly noneSo: string
    readonly noAnswer: string
    readonly notAsked: string
    readonly trace: string
    readonly counts: (values: {
      readonly right: string | number
      readonly declined: string | number
      readonly wrong: string | number
      readonly failed: string | number
    }) => string
    readonly file: string
    readonly fileHint: string
    readonly set: string
    readonly setHint: string
    readonly withoutSources: string
    readonly add: string
    readonly added: (values: { readonly n: number }) => string
    readonly noCases: string
    readonly noCasesHint: string
    readonly count: (values: { readonly n: number }) => string
    readonly removeSet: string
    readonly removeCase: (values: { readonly question: string | number }) => string
    readonly removedCase: (values: { readonly question: string | number }) => string
    readonly sureSet: (values: { readonly set: string | number }) => string
    readonly makeTest: string
    readonly makeLead: string
    readonly holds: string
    readonly kind: {
      readonly number: string
      readonly contains: string
      readonly judge: string
      readonly refusal: string
    }
    readonly numbers: string
    readonly noNumber: (values: { readonly text: string | number }) => string
    readonly texts: string
    readonly saying: string
    readonly made: string
    readonly toCases: string
    readonly keep: string
    readonly expectation: {
      readonly number: string
      readonly contains: string
      readonly excludes: string
      readonly exact: string
      readonly judge: string
      readonly citation: string
      readonly table: string
      readonly refusal: string
    }
    readonly or: string
  }
  readonly app: {
    readonly name: string
    readonly skip: string
    readonly loading: string
    readonly retry: string
    readonly close: string
    readonly cancel: string
    readonly save: string
    readonly discard: string
    readonly add: string
    readonly undo: string
    readonly control: string
  }
  readonly nav: {
    readonly pages: string
    readonly newChat: string
    readonly chat: string
    readonly approvals: string
    readonly runs: string
    readonly knowledge: string
    readonly documents: string
    readonly build: string
    readonly agents: string
    readonly recent: string
    readonly all: string
    readonly pinned: string
    readonly menu: string
    readonly theme: {
      readonly light: string
      readonly dark: string
      readonly system: string
      readonly label: string
    }
    readonly signOut: string
  }
  readonly session: {
    readonly signIn: string
    readonly register: string
    readonly name: string
    readonly password: string
    readonly code: string
    readonly invitation: string
    readonly singleSignOn: string
    readonly signOnFailed: string
    readonly noAccount: string
    readonly noInvitations: string
    readonly haveAccount: string
    readonly choosePassword: string
    readonly passwordChosen: string
    readonly readOnly: string
  }
  readonly empty: {
    readonly title: string
    readonly lead: string
    readonly placeholder: string
    readonly noModel: string
    readonly tryOne: string
    readonly noSources: string
    readonly count: {
      readonly database: (values: { readonly n: number }) => string
      readonly documents: (values: { readonly n: number }) => string
      readonly api: (values: { readonly n: number }) => string
      readonly mcp: (values: { readonly n: number }) => string
    }
    readonly noGrants: string
  }
  readonly badge: {
    readonly byRules: string
  }
  readonly strategies: {
    readonly auto: string
    readonly direct: string
    readonly pipeline: string
    readonly graph: string
    readonly supervisor: string
    readonly review: string
  }
  readonly status: {
    readonly running: string
    readonly waiting: string
    readonly finished: string
    readonly done: string
    readonly partly: string
    readonly notAnswered: string
    readonly failed: string
    readonly cancelled: string
  }
  readonly step: {
    readonly state: {
      readonly todo: string
      readonly running: string
      readonly waiting: string
      readonly done: string
      readonly failed: string
      readonly declined: string
      readonly skipped: string
      readonly stopped: string
    }
    readonly all: (values: { readonly n: number }) => string
    readonly some: (values: { readonly done: string | number; readonly all: string | number }) => string
    readonly waitsForModel: string
    readonly attempt: (values: { readonly n: string | number }) => string
    readonly rows: (values: { readonly isOne: boolean; readonly n: string | number }) => string
    readonly noCalls: string
    readonly input: string
    readonly output: string
    readonly modelFailed: string
  }
  readonly agent: Readonly<Record<string, string | undefined>>
  readonly answer: {
    readonly sources: string
    readonly copy: string
    readonly notByModel: string
    readonly copied: string
    readonly again: string
    readonly againSame: string
    readonly edit: string
    readonly editHint: string
    readonly keep: string
    readonly versions: string
    readonly version: (values: { readonly at: string | number; readonly all: string | number }) => string
    readonly earlierVersion: string
    readonly laterVersion: string
    readonly export: string
    readonly openRun: string
    readonly table: string
    readonly chart: string
    readonly download: (values: { readonly name: string | number }) => string
    readonly sql: string
    readonly cut: (values: { readonly shown: string | number }) => string
    readonly filter: string
    readonly noRows: string
    readonly noMatch: string
    readonly untrusted: string
    readonly yourData: string
  }
  readonly decided: {
    readonly edit: string
    readonly edited: string
    readonly approveEdited: string
    readonly notJson: string
    readonly covers: string
    readonly scopes: {
      readonly once: string
      readonly run: (values: { readonly to: string | number }) => string
      readonly conversation: (values: { readonly to: string | number }) => string
      readonly always: (values: { readonly to: string | number }) => string
    }
    readonly kinds: {
      readonly mail: string
      readonly code: string
      readonly team: string
      readonly question: string
      readonly request: string
      readonly call: (values: { readonly tool: string | number }) => string
    }
    readonly wasAnswered: (values: { readonly by: string | number; readonly at: string | number }) => string
    readonly begun: string
    readonly cameDone: string
    readonly cameAnew: string
    readonly cameSoon: string
    readonly cameSoonAnew: string
    readonly cameNothing: string
    readonly readOn: string
    readonly instructionsByRules: string
    readonly sendRequest: (values: { readonly what: string | number; readonly to: string | number }) => string
    readonly does: string
    readonly at: string
    readonly signedIn: string
    readonly signIns: Readonly<Record<string, string | undefined>>
    readonly query: string
    readonly headers: string
    readonly body: string
  }
  readonly planEdit: {
    readonly title: string
    readonly lead: string
    readonly asChanged: string
    readonly change: string
    readonly start: string
    readonly apply: string
    readonly discard: string
    readonly leave: string
    readonly tasks: string
    readonly task: (values: { readonly n: string | number }) => string
    readonly add: string
    readonly agent: string
    readonly words: string
    readonly atOnce: string
    readonly after: string
    readonly addAfter: string
    readonly notAfter: string
    readonly up: string
    readonly down: string
    readonly remove: string
    readonly removed: string
    readonly undo: string
    readonly circle: string
    readonly noWords: (values: { readonly n: string | number }) => string
    readonly asList: string
    readonly asGraph: string
    readonly chooseAfter: (values: { readonly name: string | number }) => string
    readonly noTask: string
    readonly left: string
    readonly likely: (values: {
      readonly runs: number
      readonly time: string | number
      readonly calls: number
      readonly cost: string | number
    }) => string
    readonly notCounted: (values: { readonly agents: string | number }) => string
    readonly hint: string
  }
  readonly quoted: (values: { readonly text: string | number }) => string
  readonly facts: {
    readonly label: string
    readonly waited: (values: { readonly work: string | number; readonly wait: string | number }) => string
    readonly calls: (values: { readonly n: number }) => string
    readonly noSource: string
    readonly noChanges: string
    readonly changes: (values: { readonly tools: string | number }) => string
    readonly tokens: (values: { readonly n: string | number }) => string
    readonly checked: string
    readonly against: string
    readonly notices: string
  }
  readonly feedback: {
    readonly ask: string
    readonly right: string
    readonly wrong: string
    readonly reason: string
    readonly correction: string
    readonly send: string
    readonly kept: string
  }
  readonly reading: {
    readonly turn: (values: { readonly n: string | number }) => string
    readonly text: string
    readonly noModelYet: string
    readonly newest: string
    readonly copyCode: string
    readonly copySql: string
    readonly mailbox: string
    readonly noGrants: string
    readonly firstRows: (values: { readonly n: string | number }) => string
    readonly refused: (values: { readonly n: number }) => string
    readonly runAgain: string
    readonly model: string
    readonly wording: string
    readonly tokensIn: string
    readonly cached: string
    readonly tokensOut: string
    readonly from: string
    readonly print: string
    readonly asXlsx: string
    readonly asCsv: string
    readonly asSvg: string
    readonly asPng: string
    readonly saveChart: string
    readonly otherParts: string
    readonly download: string
    readonly opens: string
    readonly connectModel: string
    readonly connectSources: string
  }
  readonly news: {
    readonly title: string
    readonly lead: string
    readonly label: string
    readonly refused: string
    readonly waits: (values: { readonly n: number }) => string
  }
  readonly connection: {
    readonly lost: string
  }
  readonly composer: {
    readonly followUp: string
    readonly whileRunning: string
    readonly whileWaiting: string
    readonly send: string
    readonly stop: string
    readonly strategy: string
    readonly model: string
    readonly ownModel: string
    readonly ownModelHint: string
    readonly planFirst: string
    readonly planShort: string
    readonly allSources: string
    readonly someSources: (values: { readonly on: string | number; readonly all: string | number }) => string
    readonly attach: string
    readonly files: string
    readonly takeOut: string
    readonly notSent: string
    readonly reading: string
    readonly drop: string
    readonly offers: string
  }
  readonly panel: {
    readonly whole: string
    readonly open: string
    readonly plan: string
    readonly trace: string
    readonly sources: string
    readonly whereTime: string
    readonly modelCalls: string
    readonly tokens: string
    readonly cost: string
    readonly nobody: string
    readonly together: (values: { readonly names: string | number }) => string
    readonly order: (values: { readonly first: string | number; readonly next: string | number }) => string
    readonly noSources: string
    readonly page: (values: { readonly isSheet: boolean; readonly n: string | number }) => string
    readonly passageGone: string
    readonly zoomIn: string
    readonly zoomOut: string
    readonly fit: string
  }
  readonly approval: {
    readonly title: string
    readonly lead: string
    readonly none: string
    readonly noneHint: string
    readonly waiting: (values: { readonly n: number }) => string
    readonly review: string
    readonly deny: string
    readonly approve: string
    readonly approveWith: string
    readonly instructions: string
    readonly instructionsHint: string
    readonly instructionsByRules: string
    readonly answer: string
    readonly sendAnswer: string
    readonly payload: string
    readonly hidePayload: string
    readonly untrusted: string
    readonly over: string
    readonly keys: string
    readonly twiceDeny: string
    readonly wasApproved: (values: { readonly by: string | number; readonly at: string | number }) => string
    readonly wasDenied: (values: { readonly by: string | number; readonly at: string | number }) => string
    readonly unsent: string
    readonly wasLate: string
    readonly you: string
    readonly stranger: (values: { readonly who: string | number }) => string
    readonly sure: (values: { readonly who: string | number }) => string
    readonly denyWith: string
    readonly changed: string
    readonly added: string
    readonly removed: string
    readonly origins: string
    readonly marked: string
    readonly bcc: string
    readonly expires: string
    readonly to: string
    readonly cc: string
    readonly subject: string
    readonly sendMail: string
    readonly runCode: string
    readonly saveTeam: string
    readonly callTool: (values: { readonly tool: string | number }) => string
    readonly callServerTool: (values: { readonly tool: string | number; readonly server: string | number }) => string
    readonly question: string
  }
  readonly runs: {
    readonly state: {
      readonly answered: string
      readonly partly: string
      readonly declined: string
      readonly failed: string
      readonly waiting: string
      readonly running: string
      readonly cancelled: string
    }
    readonly title: string
    readonly search: string
    readonly all: string
    readonly question: string
    readonly strategy: string
    readonly status: string
    readonly started: string
    readonly none: string
    readonly noneHint: string
    readonly noMatch: string
    readonly more: string
    readonly answer: string
    readonly plan: string
    readonly trace: string
    readonly events: string
    readonly cancel: string
  }
  readonly documents: {
    readonly search: string
    readonly noMatch: string
    readonly title: string
    readonly lead: string
    readonly add: string
    readonly drop: string
    readonly none: string
    readonly noneHint: string
    readonly name: string
    readonly size: string
    readonly added: string
    readonly remove: string
    readonly removed: (values: { readonly name: string | number }) => string
    readonly pages: (values: { readonly isSheet: boolean; readonly n: number }) => string
    readonly more: (values: { readonly names: string | number; readonly n: string | number }) => string
    readonly uploading: (values: { readonly name: string | number; readonly percent: string | number }) => string
    readonly reading: (values: { readonly name: string | number }) => string
    readonly unchanged: (values: { readonly n: number; readonly names: string | number }) => string
  }
  readonly agents: {
    readonly title: string
    readonly lead: string
    readonly lacks: string
  }
  readonly agentsPage: {
    readonly well: (values: { readonly n: number }) => string
    readonly failed: (values: { readonly n: string | number; readonly all: string | number }) => string
    readonly declinedAll: (values: { readonly n: number }) => string
    readonly declinedSome: (values: { readonly n: string | number; readonly all: string | number }) => string
    readonly asked: string
    readonly notAsked: string
    readonly errors: string
    readonly byRules: string
  }
  readonly setup: {
    readonly title: string
    readonly ready: (values: { readonly isModelUntried: boolean; readonly n: string | number }) => string
    readonly head: string
    readonly lead: string
    readonly beside: string
    readonly kind: {
      readonly model: string
      readonly database: string
      readonly documents: string
      readonly mailbox: string
    }
    readonly about: {
      readonly model: string
      readonly database: string
      readonly documents: string
      readonly mailbox: string
    }
    readonly field: {
      readonly address: string
      readonly model: string
      readonly key: string
      readonly name: string
      readonly schema: string
      readonly server: string
      readonly smtp: string
      readonly user: string
      readonly password: string
      readonly from: string
    }
    readonly hint: {
      readonly modelName: string
      readonly key: string
      readonly database: string
      readonly schema: string
      readonly smtp: string
    }
    readonly check: string
    readonly state: {
      readonly none: string
      readonly untried: string
      readonly checking: string
      readonly works: string
      readonly fails: string
      readonly connected: string
    }
    readonly tryIt: string
    readonly connect: string
    readonly connecting: string
    readonly opening: string
    readonly ability: {
      readonly streaming: string
      readonly tools: string
      readonly parallelTools: string
      readonly structuredOutput: string
    }
    readonly walls: (values: { readonly names: string | number }) => string
    readonly weak: (values: { readonly what: string | number }) => string
    readonly from: {
      readonly environment: string
      readonly file: string
      readonly page: string
      readonly demo: string
    }
    readonly notUsed: string
    readonly demoGoes: string
    readonly disconnect: string
    readonly disconnectSure: (values: { readonly name: string | number }) => string
    readonly files: (values: { readonly n: number }) => string
    readonly demoFiles: (values: { readonly n: number }) => string
    readonly dropDemo: string
    readonly dropDemoSure: (values: { readonly n: number }) => string
    readonly noFiles: string
    readonly addFiles: string
    readonly documentsLead: string
    readonly noModel: string
    readonly goOn: string
    readonly askFirst: string
    readonly askLead: string
    readonly askNone: string
    readonly askOwn: string
  }
  readonly errors: Readonly<Record<string, string | undefined>>
  readonly notices: {
    readonly assumption: string
    readonly source_unavailable: string
    readonly declined: string
    readonly denied: string
    readonly limit_reached: string
    readonly offline: string
    readonly no_source: string
    readonly interrupted_call: string
    readonly remark: string
    readonly remembered: string
  }
}
