import type { Unseen } from './unseen.ts'

/** Flats to let: names in one word with capitals inside, truth as texts of four kinds. */
export const LETTING: Unseen = {
  name: 'letting',
  sql: `
CREATE TABLE Landlord (landlordId INTEGER PRIMARY KEY, landlordName TEXT NOT NULL, vatRegistered TEXT);
CREATE TABLE Flat (flatId INTEGER PRIMARY KEY, landlordId INTEGER NOT NULL REFERENCES Landlord(landlordId), street TEXT NOT NULL, district TEXT, areaSqm REAL, rentEur REAL NOT NULL, furnished TEXT, petsAllowed TEXT);
CREATE TABLE Tenant (tenantId INTEGER PRIMARY KEY, tenantName TEXT NOT NULL, email TEXT, birthYear INTEGER, smoker TEXT);
CREATE TABLE Lease (leaseId INTEGER PRIMARY KEY, flatId INTEGER NOT NULL REFERENCES Flat(flatId), tenantId INTEGER NOT NULL REFERENCES Tenant(tenantId), startDate DATE NOT NULL, endDate DATE, depositEur REAL);
CREATE TABLE RentDue (rentDueId INTEGER PRIMARY KEY, leaseId INTEGER NOT NULL REFERENCES Lease(leaseId), dueDate DATE NOT NULL, amountEur REAL NOT NULL, unpaid INTEGER NOT NULL, settledOn DATE);
CREATE TABLE Repair (repairId INTEGER PRIMARY KEY, flatId INTEGER NOT NULL REFERENCES Flat(flatId), reportedOn DATE NOT NULL, fixedOn DATE, trade TEXT NOT NULL, costEur REAL, urgent TEXT NOT NULL);
INSERT INTO Landlord VALUES (1,'Nordbau','Y'),(2,'Alma Vogt','N'),(3,'Citywohn','Y');
INSERT INTO Flat VALUES (1,1,'Elm 1','Altstadt',55,820,'yes','N'),(2,1,'Elm 3','Altstadt',70,990,'no','Y'),(3,2,'Birch 9','Hafen',42,610,'yes','Y'),(4,3,'Oak 4','Hafen',88,1350,'no','N'),(5,3,'Oak 6','Westend',61,905,'no','Y'),(6,2,'Fir 2','Westend',35,480,'yes','N');
INSERT INTO Tenant VALUES (1,'Mara Klee','m@x.example',1988,'N'),(2,'Nils Ott','n@x.example',1975,'Y'),(3,'Olga Pim',NULL,1999,'N'),(4,'Pavel Rau','p@x.example',1962,'N'),(5,'Quinn Sol','q@x.example',1990,'Y');
INSERT INTO Lease VALUES (1,1,1,'2023-02-01','2025-01-31',1640),(2,2,2,'2024-05-01',NULL,1980),(3,3,3,'2025-03-01',NULL,1220),(4,4,4,'2022-07-01',NULL,2700),(5,1,5,'2025-02-15',NULL,1640);
INSERT INTO RentDue VALUES (1,2,'2026-03-01',990,0,'2026-03-02'),(2,2,'2026-04-01',990,1,NULL),(3,3,'2026-03-01',610,0,'2026-02-27'),(4,3,'2026-04-01',610,0,'2026-04-09'),(5,4,'2026-03-01',1350,0,'2026-03-01'),(6,4,'2026-04-01',1350,1,NULL),(7,5,'2026-04-01',820,0,'2026-04-01');
INSERT INTO Repair VALUES (1,1,'2025-11-03','2025-11-10','plumbing',240,'true'),(2,3,'2026-01-12',NULL,'heating',NULL,'true'),(3,4,'2026-02-01','2026-02-20','painting',900,'false'),(4,4,'2026-03-15','2026-03-16','plumbing',130,'true'),(5,2,'2026-04-02',NULL,'heating',NULL,'false'),(6,6,'2025-08-01','2025-08-30','heating',610,'false');
`,
  questions: [
    ['How many flats are furnished?', "SELECT count(*) FROM Flat WHERE furnished='yes'"],
    ['Which flats are not furnished?', "SELECT street FROM Flat WHERE furnished='no'"],
    [
      'How many unfurnished flats are there per district?',
      "SELECT district,count(*) FROM Flat WHERE furnished='no' GROUP BY 1",
    ],
    ['Which flats allow pets?', "SELECT street FROM Flat WHERE petsAllowed='Y'"],
    ['How many tenants are smokers?', "SELECT count(*) FROM Tenant WHERE smoker='Y'"],
    ['How many unpaid tenants are there?'],
    ['What is the average rent in Hafen?', "SELECT avg(rentEur) FROM Flat WHERE district='Hafen'"],
    ['Which flat has the highest rent?', 'SELECT flatId FROM Flat ORDER BY rentEur DESC LIMIT 1'],
    ['What is the total deposit?', 'SELECT sum(depositEur) FROM Lease'],
    ['How many urgent repairs are there?', "SELECT count(*) FROM Repair WHERE urgent='true'"],
    ['Which repairs are not fixed yet?', 'SELECT repairId FROM Repair WHERE fixedOn IS NULL'],
    [
      'How many repairs were fixed in 2026?',
      "SELECT count(*) FROM Repair WHERE fixedOn>='2026-01-01' AND fixedOn<'2027-01-01'",
    ],
    ['What did plumbing repairs cost in total?', "SELECT sum(costEur) FROM Repair WHERE trade='plumbing'"],
    [
      'Share of furnished flats by district',
      "SELECT district, 100.0*sum(furnished='yes')/count(*) FROM Flat GROUP BY 1",
    ],
    ['Which tenants have no email?', 'SELECT tenantName FROM Tenant WHERE email IS NULL'],
    ['How many flats larger than 60 square metres are there?', 'SELECT count(*) FROM Flat WHERE areaSqm>60'],
    [
      'How many leases started in 2025?',
      "SELECT count(*) FROM Lease WHERE startDate>='2025-01-01' AND startDate<'2026-01-01'",
    ],
    ['Which landlord owns the most flats?', 'SELECT landlordName FROM Landlord'],
    ['How many VAT registered landlords are there?', "SELECT count(*) FROM Landlord WHERE vatRegistered='Y'"],
    [
      'Average number of days between reported and fixed per trade',
      'SELECT trade, avg(julianday(fixedOn)-julianday(reportedOn)) FROM Repair WHERE fixedOn IS NOT NULL GROUP BY 1',
    ],
  ],
}
