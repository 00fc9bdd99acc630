import type { Unseen } from './unseen.ts'

/** A veterinary practice: units at the end of names, 0 and 1 for what is and is not, dates of what was done. */
export const CLINIC: Unseen = {
  name: 'clinic',
  sql: `
CREATE TABLE vets (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, speciality TEXT, on_leave INTEGER NOT NULL, hired_on DATE);
CREATE TABLE owners (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, town TEXT, phone TEXT);
CREATE TABLE pets (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners(id), pet_name TEXT NOT NULL, species TEXT NOT NULL, weight_kg REAL, neutered INTEGER NOT NULL, born_on DATE);
CREATE TABLE visits (id INTEGER PRIMARY KEY, pet_id INTEGER NOT NULL REFERENCES pets(id), vet_id INTEGER REFERENCES vets(id), visited_on DATE NOT NULL, kind TEXT NOT NULL, fee_eur REAL NOT NULL, length_min INTEGER);
CREATE TABLE bills (id INTEGER PRIMARY KEY, visit_id INTEGER NOT NULL REFERENCES visits(id), billed_on DATE NOT NULL, due_on DATE, paid_on DATE, amount_eur REAL NOT NULL, reminded INTEGER NOT NULL);
CREATE TABLE prescriptions (id INTEGER PRIMARY KEY, visit_id INTEGER NOT NULL REFERENCES visits(id), drug TEXT NOT NULL, dose_mg REAL, refills INTEGER);
INSERT INTO vets VALUES (1,'Ines Kolb','surgery',1,'2018-03-01'),(2,'Omar Vidal','dentistry',0,'2020-05-12'),(3,'Petra Lunn','birds',0,'2021-09-30'),(4,'Rolf Abel','surgery',1,'2016-01-15');
INSERT INTO owners VALUES (1,'Hanna Moss','Ulm','1'),(2,'Igor Prat','Kiel',NULL),(3,'Jana Quist','Ulm','3'),(4,'Karl Rey','Bonn','4'),(5,'Lena Sand','Kiel','5');
INSERT INTO pets VALUES (1,1,'Bello','dog',22.5,1,'2017-04-01'),(2,1,'Mimi','cat',4.2,1,'2019-08-09'),(3,2,'Rex','dog',31,0,'2020-02-02'),(4,3,'Kiki','parrot',0.4,0,'2015-06-06'),(5,4,'Luna','cat',3.8,0,'2022-01-20'),(6,3,'Max','dog',12,1,'2021-11-11'),(7,NULL,'Stray','cat',3.1,0,NULL);
INSERT INTO visits VALUES (1,1,1,'2026-01-05','surgery',320,90),(2,1,2,'2026-02-10','vaccination',45,15),(3,2,2,'2026-02-11','check-up',30,20),(4,3,4,'2025-12-30','surgery',410,120),(5,4,3,'2026-03-03','check-up',28,15),(6,5,2,'2026-03-08','vaccination',45,10),(7,6,1,'2026-04-01','surgery',280,75),(8,6,3,'2026-04-20','vaccination',50,15),(9,2,3,'2025-11-02','vaccination',42,12),(10,3,2,'2026-05-05','check-up',33,25);
INSERT INTO bills VALUES (1,1,'2026-01-06','2026-02-06','2026-02-01',320,0),(2,2,'2026-02-11','2026-03-11','2026-03-20',45,1),(3,3,'2026-02-12','2026-03-12',NULL,30,1),(4,4,'2026-01-02','2026-02-02','2026-02-28',410,1),(5,5,'2026-03-04','2026-04-04','2026-03-10',28,0),(6,6,'2026-03-09','2026-04-09',NULL,45,0),(7,7,'2026-04-02','2026-05-02','2026-04-20',280,0),(8,8,'2026-04-21','2026-05-21',NULL,50,0);
INSERT INTO prescriptions VALUES (1,1,'Carprofen',50,1),(2,4,'Carprofen',75,2),(3,7,'Amoxicillin',250,0),(4,3,'Doxycycline',100,NULL),(5,10,'Amoxicillin',250,1);
`,
  questions: [
    ['Which vets are on leave?', 'SELECT full_name FROM vets WHERE on_leave=1'],
    ['How many vets are not on leave?', 'SELECT count(*) FROM vets WHERE on_leave=0'],
    ['How many neutered pets are there?', 'SELECT count(*) FROM pets WHERE neutered=1'],
    ['Which dogs are not neutered?', "SELECT pet_name FROM pets WHERE species='dog' AND neutered=0"],
    ['How many dogs are there?', "SELECT count(*) FROM pets WHERE species='dog'"],
    ['What is the average fee of a surgery?', "SELECT avg(fee_eur) FROM visits WHERE kind='surgery'"],
    [
      'What is the median fee per kind?',
      "SELECT 'check-up',30.0 UNION ALL SELECT 'surgery',320.0 UNION ALL SELECT 'vaccination',45.0",
    ],
    [
      'Which bills were paid in February 2026?',
      "SELECT id FROM bills WHERE paid_on>='2026-02-01' AND paid_on<'2026-03-01'",
    ],
    ['How many bills are unpaid?', 'SELECT count(*) FROM bills WHERE paid_on IS NULL'],
    ['What is the total amount of unpaid bills?', 'SELECT sum(amount_eur) FROM bills WHERE paid_on IS NULL'],
    [
      'Which pets had both a surgery and a vaccination?',
      "SELECT pet_name FROM pets WHERE id IN (SELECT pet_id FROM visits WHERE kind='surgery') AND id IN (SELECT pet_id FROM visits WHERE kind='vaccination')",
    ],
    ['Which pet is the heaviest?', 'SELECT pet_name FROM pets ORDER BY weight_kg DESC LIMIT 1'],
    ['What is the average weight of cats?', "SELECT avg(weight_kg) FROM pets WHERE species='cat'"],
    [
      'Which owners have no pets?',
      'SELECT full_name FROM owners WHERE id NOT IN (SELECT owner_id FROM pets WHERE owner_id IS NOT NULL)',
    ],
    [
      'How many visits did each vet have in 2026?',
      "SELECT v.full_name, count(*) FROM visits s JOIN vets v ON v.id=s.vet_id WHERE visited_on>='2026-01-01' GROUP BY v.id UNION ALL SELECT 'Rolf Abel',0",
    ],
    [
      'Which vet has earned the highest total fees?',
      'SELECT v.full_name FROM visits s JOIN vets v ON v.id=s.vet_id GROUP BY v.id ORDER BY sum(fee_eur) DESC LIMIT 1',
    ],
    ['How long is a surgery on average?', "SELECT avg(length_min) FROM visits WHERE kind='surgery'"],
    ['How many bills were reminded but not paid?', 'SELECT count(*) FROM bills WHERE reminded=1 AND paid_on IS NULL'],
    ['Which drug was prescribed most often?', 'SELECT drug FROM prescriptions GROUP BY drug HAVING count(*)=2'],
    [
      'Total fees per month in 2026',
      "SELECT substr(visited_on,1,7), sum(fee_eur) FROM visits WHERE visited_on>='2026-01-01' GROUP BY 1",
    ],
  ],
}
