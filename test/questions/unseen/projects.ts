import type { Unseen } from './unseen.ts'

/** Projects of an agency: capitals, short forms, T_ before each table. */
export const PROJECTS: Unseen = {
  name: 'projects',
  sql: `
CREATE TABLE T_DEPT (DEPT_ID INTEGER PRIMARY KEY, DEPT_NM VARCHAR(40) NOT NULL, SITE VARCHAR(20));
CREATE TABLE T_STAFF (STAFF_ID INTEGER PRIMARY KEY, STAFF_NM VARCHAR(60) NOT NULL, DEPT_ID INTEGER REFERENCES T_DEPT(DEPT_ID), BOSS_ID INTEGER REFERENCES T_STAFF(STAFF_ID), GRADE VARCHAR(10), PAY_USD DECIMAL(10,2), REMOTE INTEGER, JOIN_DT DATE);
CREATE TABLE T_CLIENT (CLIENT_ID INTEGER PRIMARY KEY, CLIENT_NM VARCHAR(60) NOT NULL, SECTOR VARCHAR(20), CTRY VARCHAR(30), KEY_ACCOUNT VARCHAR(1));
CREATE TABLE T_PROJ (PROJ_ID INTEGER PRIMARY KEY, PROJ_NM VARCHAR(60) NOT NULL, CLIENT_ID INTEGER NOT NULL REFERENCES T_CLIENT(CLIENT_ID), LEAD_ID INTEGER REFERENCES T_STAFF(STAFF_ID), STATUS VARCHAR(12), START_DT DATE, END_DT DATE, BUDGET_USD DECIMAL(12,2), BILLABLE INTEGER);
CREATE TABLE T_TASK (TASK_ID INTEGER PRIMARY KEY, PROJ_ID INTEGER NOT NULL REFERENCES T_PROJ(PROJ_ID), STAFF_ID INTEGER REFERENCES T_STAFF(STAFF_ID), TITLE VARCHAR(60) NOT NULL, PRIORITY VARCHAR(10), DONE INTEGER, EST_HRS REAL);
CREATE TABLE T_TIMESHEET (TS_ID INTEGER PRIMARY KEY, STAFF_ID INTEGER NOT NULL REFERENCES T_STAFF(STAFF_ID), PROJ_ID INTEGER NOT NULL REFERENCES T_PROJ(PROJ_ID), WORK_DT DATE NOT NULL, HRS REAL NOT NULL, APPROVED VARCHAR(1));
INSERT INTO T_DEPT VALUES (1,'Design','Lyon'),(2,'Build','Porto'),(3,'Finance','Lyon');
INSERT INTO T_STAFF VALUES (1,'Ada Fox',1,NULL,'senior',9000,1,'2015-01-01'),(2,'Ben Hart',2,1,'senior',7000,0,'2017-06-01'),(3,'Cleo Jin',2,2,'junior',4200,1,'2023-03-01'),(4,'Dan Kay',1,1,'junior',4000,0,'2024-09-01'),(5,'Eva Low',3,NULL,'senior',6500,0,'2019-02-01');
INSERT INTO T_CLIENT VALUES (1,'Aurum','energy','France','T'),(2,'Borea','retail','Spain','F'),(3,'Cirrus','energy','Spain','T'),(4,'Dorado','health','Italy','F');
INSERT INTO T_PROJ VALUES (1,'Harbour',1,2,'active','2025-01-10',NULL,120000,1),(2,'Lantern',2,2,'closed','2024-03-01','2025-02-01',45000,1),(3,'Mosaic',3,1,'active','2026-02-01',NULL,80000,0),(4,'Nimbus',1,NULL,'cancelled','2025-05-01','2025-06-01',15000,1);
INSERT INTO T_TASK VALUES (1,1,3,'Drawings','high',1,40),(2,1,2,'Foundations','high',0,160),(3,1,NULL,'Permits','low',0,24),(4,2,3,'Shelves','low',1,30),(5,3,4,'Tiles','medium',0,55),(6,3,1,'Concept','high',1,20);
INSERT INTO T_TIMESHEET VALUES (1,2,1,'2026-03-02',8,'Y'),(2,3,1,'2026-03-02',6.5,'Y'),(3,3,1,'2026-03-03',7,'N'),(4,4,3,'2026-04-01',5,'N'),(5,1,3,'2026-04-02',4,'Y'),(6,2,2,'2025-01-15',8,'Y');
`,
  questions: [
    ['How many staff work remote?', 'SELECT count(*) FROM T_STAFF WHERE REMOTE=1'],
    ['Which staff are not remote?', 'SELECT STAFF_NM FROM T_STAFF WHERE REMOTE=0'],
    [
      'What is the average pay per department?',
      'SELECT DEPT_NM, avg(PAY_USD) FROM T_STAFF JOIN T_DEPT USING(DEPT_ID) GROUP BY 1',
    ],
    ['Which staff report to nobody?', 'SELECT STAFF_NM FROM T_STAFF WHERE BOSS_ID IS NULL'],
    ['Who has no boss?', 'SELECT STAFF_NM FROM T_STAFF WHERE BOSS_ID IS NULL'],
    ['How many tasks are done?', 'SELECT count(*) FROM T_TASK WHERE DONE=1'],
    [
      'How many tasks are not done per project?',
      'SELECT PROJ_NM,count(*) FROM T_TASK JOIN T_PROJ USING(PROJ_ID) WHERE DONE=0 GROUP BY 1',
    ],
    ['Which billable projects are active?', "SELECT PROJ_NM FROM T_PROJ WHERE BILLABLE=1 AND STATUS='active'"],
    ['How many key account clients are there?', "SELECT count(*) FROM T_CLIENT WHERE KEY_ACCOUNT='T'"],
    ['Total budget of active projects', "SELECT sum(BUDGET_USD) FROM T_PROJ WHERE STATUS='active'"],
    [
      'Share of cancelled projects by client',
      "SELECT CLIENT_NM, 100.0*sum(STATUS='cancelled')/count(*) FROM T_PROJ JOIN T_CLIENT USING(CLIENT_ID) GROUP BY 1",
    ],
    [
      'How many hours were worked in March 2026?',
      "SELECT sum(HRS) FROM T_TIMESHEET WHERE WORK_DT>='2026-03-01' AND WORK_DT<'2026-04-01'",
    ],
    ['Total hours of approved timesheets', "SELECT sum(HRS) FROM T_TIMESHEET WHERE APPROVED='Y'"],
    ['Which project has the most tasks?', "SELECT 'Harbour'"],
    [
      'Which clients have no projects?',
      'SELECT CLIENT_NM FROM T_CLIENT WHERE CLIENT_ID NOT IN (SELECT CLIENT_ID FROM T_PROJ)',
    ],
    ['Who joined before 2018?', "SELECT STAFF_NM FROM T_STAFF WHERE JOIN_DT<'2018-01-01'"],
    ['Average budget of the project with the most tasks'],
    ['Which tasks have nobody assigned?', 'SELECT TITLE FROM T_TASK WHERE STAFF_ID IS NULL'],
    [
      'What is the estimated hours total for high priority tasks?',
      "SELECT sum(EST_HRS) FROM T_TASK WHERE PRIORITY='high'",
    ],
    ['Which energy clients are in Spain?', "SELECT CLIENT_NM FROM T_CLIENT WHERE SECTOR='energy' AND CTRY='Spain'"],
  ],
}
