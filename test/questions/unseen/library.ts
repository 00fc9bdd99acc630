import type { Unseen } from './unseen.ts'

/** A public library: keys that end in _no, columns called after their table, a unit in pounds. */
export const LIBRARY: Unseen = {
  name: 'library',
  sql: `
CREATE TABLE branch (branch_no INTEGER PRIMARY KEY, branch_town TEXT NOT NULL, open_sunday INTEGER NOT NULL, area_sqm REAL);
CREATE TABLE reader (reader_no INTEGER PRIMARY KEY, reader_name TEXT NOT NULL, home_branch INTEGER REFERENCES branch(branch_no), card_valid TEXT NOT NULL, joined_on DATE, fines_gbp REAL);
CREATE TABLE title (title_no INTEGER PRIMARY KEY, title_name TEXT NOT NULL, writer TEXT, subject TEXT, pages INTEGER, price_gbp REAL, e_book TEXT);
CREATE TABLE copy (copy_no INTEGER PRIMARY KEY, title_no INTEGER NOT NULL REFERENCES title(title_no), branch_no INTEGER NOT NULL REFERENCES branch(branch_no), damaged INTEGER NOT NULL, bought_on DATE);
CREATE TABLE loan (loan_no INTEGER PRIMARY KEY, copy_no INTEGER NOT NULL REFERENCES copy(copy_no), reader_no INTEGER NOT NULL REFERENCES reader(reader_no), lent_on DATE NOT NULL, due_on DATE NOT NULL, returned_on DATE, renewals INTEGER NOT NULL);
CREATE TABLE reservation (reservation_no INTEGER PRIMARY KEY, title_no INTEGER NOT NULL REFERENCES title(title_no), reader_no INTEGER NOT NULL REFERENCES reader(reader_no), made_on DATE NOT NULL, state TEXT NOT NULL);
INSERT INTO branch VALUES (1,'Ulm',1,400),(2,'Kiel',0,250),(3,'Bonn',0,300);
INSERT INTO reader VALUES (1,'Ann Alder',1,'yes','2019-01-02',0),(2,'Bo Beck',1,'no','2020-05-01',4.5),(3,'Cy Cole',2,'yes','2024-02-02',1.2),(4,'Di Dorn',3,'yes','2025-06-30',0),(5,'Ed Erle',NULL,'no','2018-03-03',12);
INSERT INTO title VALUES (1,'Moss','Lin','nature',210,18.5,'N'),(2,'Steel','Roe','history',480,32,'Y'),(3,'Tides','Lin','nature',150,14,'Y'),(4,'Looms','Vey','history',300,25,'N'),(5,'Stars','Oak','science',99,11,'N');
INSERT INTO copy VALUES (1,1,1,0,'2020-01-01'),(2,1,2,1,'2021-01-01'),(3,2,1,0,'2022-02-02'),(4,3,3,0,'2023-03-03'),(5,4,2,1,'2020-05-05'),(6,4,1,0,'2024-01-01');
INSERT INTO loan VALUES (1,1,1,'2026-01-05','2026-02-05','2026-02-01',0),(2,3,2,'2026-01-10','2026-02-10','2026-03-01',2),(3,4,3,'2026-04-01','2026-05-01',NULL,1),(4,6,1,'2026-05-01','2026-06-01',NULL,0),(5,2,4,'2025-11-01','2025-12-01','2025-11-20',0),(6,1,2,'2026-03-01','2026-04-01','2026-04-11',1);
INSERT INTO reservation VALUES (1,2,1,'2026-05-01','waiting'),(2,2,3,'2026-05-03','waiting'),(3,1,4,'2026-02-01','fetched'),(4,4,4,'2026-01-01','cancelled');
`,
  questions: [
    ['Which branches are open sunday?', 'SELECT branch_town FROM branch WHERE open_sunday=1'],
    ['How many copies are damaged?', 'SELECT count(*) FROM copy WHERE damaged=1'],
    [
      'How many undamaged copies does each branch have?',
      "SELECT branch_town, count(*) FROM copy JOIN branch USING(branch_no) WHERE damaged=0 GROUP BY 1 UNION ALL SELECT 'Kiel',0",
    ],
    ['Which readers have fines?', 'SELECT reader_name FROM reader WHERE fines_gbp>0'],
    ['Total fines of readers without a valid card'],
    ['How many loans are not returned?', 'SELECT count(*) FROM loan WHERE returned_on IS NULL'],
    ['How many unreturned loans are there?', 'SELECT count(*) FROM loan WHERE returned_on IS NULL'],
    ['How many loans were returned late?', 'SELECT count(*) FROM loan WHERE returned_on>due_on'],
    [
      'How many loans were returned in March 2026?',
      "SELECT count(*) FROM loan WHERE returned_on>='2026-03-01' AND returned_on<'2026-04-01'",
    ],
    ['Which titles are e-books?', "SELECT title_name FROM title WHERE e_book='Y'"],
    ['Average price of history titles', "SELECT avg(price_gbp) FROM title WHERE subject='history'"],
    ['Which title has the most pages?', "SELECT 'Steel'"],
    [
      'Share of damaged copies by branch',
      'SELECT branch_town, round(100.0*sum(damaged)/count(*),2) FROM copy JOIN branch USING(branch_no) GROUP BY 1',
    ],
    ['How many reservations are waiting?', "SELECT count(*) FROM reservation WHERE state='waiting'"],
    ['Share of cancelled reservations', 'SELECT 25.0'],
    ['How many titles by Lin are there?', 'SELECT 2'],
    ['Titles with more than 200 pages', 'SELECT title_name FROM title WHERE pages>200'],
    ['Which readers joined before 2020?', "SELECT reader_name FROM reader WHERE joined_on<'2020-01-01'"],
    ['Who has never borrowed anything?', "SELECT 'Ed Erle'"],
    ['Readers who have both waiting and cancelled reservations', 'SELECT 1 WHERE 0'],
    ['Which readers have no home branch?', "SELECT 'Ed Erle'"],
    ['Titles cheaper than 20 pounds', 'SELECT title_name FROM title WHERE price_gbp<20'],
    ['Titles cheaper than 20 euros'],
    ['average area of branches', 'SELECT avg(area_sqm) FROM branch'],
    ['How many copies were bought in 2020?', 'SELECT 2'],
    ['loans renewed in 2026'],
    ['How many renewals were there in 2026?', "SELECT sum(renewals) FROM loan WHERE lent_on>='2026-01-01'"],
    ['How many readers have a valid card?', 'SELECT 3'],
    ['Readers whose card is not valid', "SELECT reader_name FROM reader WHERE card_valid='no'"],
    ['median pages per subject', "SELECT 'nature',180 UNION ALL SELECT 'history',390 UNION ALL SELECT 'science',99"],
    ['Which copies have never been lent?', 'SELECT 5'],
    [
      'How many loans per month in 2026?',
      "SELECT substr(lent_on,1,7), count(*) FROM loan WHERE lent_on>='2026-01-01' GROUP BY 1",
    ],
    [
      'Average number of days between lent and returned',
      'SELECT avg(julianday(returned_on)-julianday(lent_on)) FROM loan',
    ],
    ['Which branch has the fewest readers?', 'SELECT branch_town FROM branch WHERE branch_no IN (2,3)'],
    ['oldest loan', 'SELECT 5'],
    ['highest fine', 'SELECT 12'],
    ['reserved titles'],
    ['lent copies'],
    ['How many readers owe fines?', 'SELECT 3'],
    ['Which readers are not from Ulm?', "SELECT 'Cy Cole' UNION ALL SELECT 'Di Dorn'"],
    ['Readers who have both fetched and cancelled reservations', "SELECT 'Di Dorn'"],
    ['Which readers have both a fetched and a cancelled reservation?', "SELECT 'Di Dorn'"],
    ['Which readers have reservations that are fetched and cancelled?'],
    ['Which readers are from Ulm and have fines?', "SELECT 'Bo Beck'"],
    ['How many loans are late?'],
    ['Which readers have more than 1 loan?', 'SELECT reader_name FROM reader WHERE reader_no IN (1,2)'],
    ['Which branches are not open sunday?', 'SELECT branch_town FROM branch WHERE open_sunday=0'],
    ['How many copies in Ulm are not damaged?', 'SELECT 3'],
    ['Show the number of damaged copies per title', "SELECT 'Moss',1 UNION ALL SELECT 'Looms',1"],
    ['Which titles have damaged copies?', "SELECT 'Moss' UNION ALL SELECT 'Looms'"],
    ['Which titles have no damaged copies?', 'SELECT title_name FROM title WHERE title_no NOT IN (1,4)'],
    ['Which titles have no copies?', "SELECT 'Stars'"],
    ['How much did the history titles cost?'],
    ['What is the total price of titles by Lin?'],
    ['Average number of loans per reader', 'SELECT 1.5'],
    ['percentage of damaged copies', 'SELECT 33.33'],
    ['percentage of copies in Ulm that are damaged', 'SELECT 0'],
    ['Which reader has the highest fines?', "SELECT 'Ed Erle'"],
    ['fines by branch', "SELECT 'Ulm',4.5 UNION ALL SELECT 'Kiel',1.2 UNION ALL SELECT 'Bonn',0"],
    ['returned loans in 2026'],
    ['loans not returned in 2026'],
    ['How many loans are overdue?'],
    ['readers with a card'],
    ['readers without fines', 'SELECT reader_name FROM reader WHERE fines_gbp=0'],
    ['titles longer than 200 pages'],
    ['subjects with more than 1 title', "SELECT 'nature' UNION ALL SELECT 'history'"],
    ['Which writer has the most titles?', "SELECT 'Lin'"],
    ['How many natures are there?', 'SELECT 2'],
  ],
}
