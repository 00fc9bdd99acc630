import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from '../../test/support/length.ts'
import { createGate } from '../databases/gate/index.ts'
import type { ColumnKind, Dialect } from '../databases/schema.ts'
import { linkQuestion } from './index.ts'
import type { Linked, ValueLookup } from './index.ts'
import { lookupIn, readSchema, rowsOf } from '../terms/sqlite.fixture.ts'

/** A music shop in the manner of Chinook, small enough to check by eye. */
const MUSIC = `
CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title NVARCHAR(160) NOT NULL, ArtistId INTEGER NOT NULL REFERENCES Artist (ArtistId));
CREATE TABLE Genre (GenreId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE MediaType (MediaTypeId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE Employee (EmployeeId INTEGER PRIMARY KEY, LastName NVARCHAR(20) NOT NULL, FirstName NVARCHAR(20) NOT NULL, Title NVARCHAR(30), ReportsTo INTEGER REFERENCES Employee (EmployeeId), BirthDate DATETIME, HireDate DATETIME, City NVARCHAR(40), Country NVARCHAR(40));
CREATE TABLE Customer (CustomerId INTEGER PRIMARY KEY, FirstName NVARCHAR(40) NOT NULL, LastName NVARCHAR(20) NOT NULL, Company NVARCHAR(80), City NVARCHAR(40), Country NVARCHAR(40), Fax NVARCHAR(24), Email NVARCHAR(60) NOT NULL, SupportRepId INTEGER REFERENCES Employee (EmployeeId));
CREATE TABLE Track (TrackId INTEGER PRIMARY KEY, Name NVARCHAR(200) NOT NULL, AlbumId INTEGER REFERENCES Album (AlbumId), MediaTypeId INTEGER NOT NULL REFERENCES MediaType (MediaTypeId), GenreId INTEGER REFERENCES Genre (GenreId), Composer NVARCHAR(220), Milliseconds INTEGER NOT NULL, UnitPrice NUMERIC(10,2) NOT NULL);
CREATE TABLE Invoice (InvoiceId INTEGER PRIMARY KEY, CustomerId INTEGER NOT NULL REFERENCES Customer (CustomerId), InvoiceDate DATETIME NOT NULL, BillingCity NVARCHAR(40), BillingCountry NVARCHAR(40), Total NUMERIC(10,2) NOT NULL);
CREATE TABLE InvoiceLine (InvoiceLineId INTEGER PRIMARY KEY, InvoiceId INTEGER NOT NULL REFERENCES Invoice (InvoiceId), TrackId INTEGER NOT NULL REFERENCES Track (TrackId), UnitPrice NUMERIC(10,2) NOT NULL, Quantity INTEGER NOT NULL);
CREATE TABLE Playlist (PlaylistId INTEGER PRIMARY KEY, Name NVARCHAR(120));
CREATE TABLE PlaylistTrack (PlaylistId INTEGER NOT NULL REFERENCES Playlist (PlaylistId), TrackId INTEGER NOT NULL REFERENCES Track (TrackId), PRIMARY KEY (PlaylistId, TrackId));
INSERT INTO Artist VALUES (1,'AC/DC'),(2,'Miles Davis'),(3,'Tom Jobim'),(4,'Metallica'),(5,'Silent Band');
INSERT INTO Album VALUES (7,'Miles Davis',2),(1,'Back in Black',1),(2,'Kind of Blue',2),(3,'Wave',3),(4,'Ride the Lightning',4),(5,'Powerage',1),(6,'Empty Sleeve',4);
INSERT INTO Genre VALUES (1,'Rock'),(2,'Jazz'),(3,'Latin'),(4,'Metal'),(5,'Pop'),(6,'Blues'),(7,'Opera');
INSERT INTO MediaType VALUES (1,'MPEG audio file'),(2,'AAC audio file');
INSERT INTO Employee VALUES (1,'Adams','Andrew','General Manager',NULL,'1962-02-18','2002-08-14','Edmonton','Canada'),(2,'Edwards','Nancy','Sales Manager',1,'1958-12-08','2002-05-01','Calgary','Canada'),(3,'Peacock','Jane','Sales Support Agent',2,'1973-08-29','2002-04-01','Calgary','Canada'),(4,'Park','Margaret','Sales Support Agent',2,'1947-09-19','2003-05-03','Calgary','Canada');
INSERT INTO Customer VALUES (1,'Luis','Silva','Embraer','Sao Paulo','Brazil',NULL,'luis@example.br',3),(2,'Anna','Schmidt',NULL,'Berlin','Germany','49-1','anna@example.de',3),(3,'John','Miller','Apple','New York','USA',NULL,'john@example.com',4),(4,'Mary','Miller',NULL,'Boston','USA','1-2','mary@example.com',4),(5,'Rosa','Lima',NULL,'Rio','Brazil',NULL,'rosa@example.br',NULL),(6,'Zoe','Quiet',NULL,'Paris','France',NULL,'zoe@example.fr',4);
INSERT INTO Track VALUES (1,'Hells Bells',1,1,1,'Young',312000,0.99),(2,'Shoot to Thrill',1,1,1,'Young',317000,0.99),(3,'So What',2,1,2,'Davis',545000,0.99),(4,'Blue in Green',2,2,2,NULL,337000,0.99),(5,'Wave',3,1,3,'Jobim',175000,0.99),(6,'Fade to Black',4,1,4,'Hetfield',417000,1.29),(7,'Creeping Death',4,1,4,'Hetfield',396000,1.29),(8,'Sin City',5,2,1,'Young',285000,0.99),(9,'Loose Song',NULL,1,5,NULL,100000,1.99),(10,'Old Blues',NULL,1,6,'AC/DC',200000,0.99);
INSERT INTO Invoice VALUES (1,1,'2023-01-10 00:00:00','Sao Paulo','Brazil',3.96),(2,2,'2023-03-05 00:00:00','Berlin','Germany',2.28),(3,3,'2023-12-31 23:00:00','New York','USA',5.25),(4,1,'2024-03-01 00:00:00','Sao Paulo','Brazil',1.98),(5,4,'2024-03-15 00:00:00','Boston','USA',2.58),(6,3,'2024-07-01 00:00:00','New York','USA',0.99),(7,5,'2024-11-20 00:00:00','Rio','Brazil',1.99),(8,1,'2026-10-15 00:00:00','Sao Paulo','Brazil',0.99);
INSERT INTO InvoiceLine VALUES (1,1,1,0.99,2),(2,1,3,0.99,2),(3,2,5,0.99,1),(4,2,6,1.29,1),(5,3,1,0.99,1),(6,3,2,0.99,1),(7,3,6,1.29,1),(8,3,9,1.98,1),(9,4,4,0.99,2),(10,5,7,1.29,2),(11,6,10,0.99,1),(12,7,9,1.99,1),(13,8,1,0.99,1);
INSERT INTO Playlist VALUES (1,'Music'),(2,'Rock Hits'),(3,'Empty'),(4,'Pop');
INSERT INTO PlaylistTrack VALUES (1,1),(1,3),(1,5),(1,6),(2,1),(2,2),(2,8);
`

/** A shop with addresses, several dates, returns and two ways from orders to addresses. */
const SHOP = `
CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category_id INTEGER REFERENCES categories (id), supplier_id INTEGER REFERENCES suppliers (id), price DECIMAL(10,2) NOT NULL, weight_kg REAL, discontinued BOOLEAN NOT NULL);
CREATE TABLE customers (id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT, company TEXT, is_active BOOLEAN NOT NULL, created_at DATETIME NOT NULL);
CREATE TABLE addresses (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), street TEXT, city TEXT, country TEXT);
CREATE TABLE employees (id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, department TEXT, salary DECIMAL(10,2), hire_date DATE, manager_id INTEGER REFERENCES employees (id));
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), employee_id INTEGER REFERENCES employees (id), shipping_address_id INTEGER REFERENCES addresses (id), billing_address_id INTEGER REFERENCES addresses (id), status TEXT NOT NULL, order_date DATE NOT NULL, shipped_date DATE, total_amount DECIMAL(10,2) NOT NULL);
CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id), product_id INTEGER NOT NULL REFERENCES products (id), quantity INTEGER NOT NULL, unit_price DECIMAL(10,2) NOT NULL);
CREATE TABLE payments (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id), amount DECIMAL(10,2) NOT NULL, method TEXT, paid_at DATETIME);
CREATE TABLE returns (id INTEGER PRIMARY KEY, order_item_id INTEGER NOT NULL REFERENCES order_items (id), reason TEXT, refund_amount DECIMAL(10,2), returned_at DATE);
CREATE TABLE support_tickets (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), employee_id INTEGER REFERENCES employees (id), subject TEXT, priority TEXT, status TEXT, opened_at DATETIME, closed_at DATETIME);
INSERT INTO suppliers VALUES (1,'Acme','USA'),(2,'Globex','Germany'),(3,'Idle Supply','France');
INSERT INTO categories VALUES (1,'Books'),(2,'Games'),(3,'Garden'),(4,'Void');
INSERT INTO products VALUES (1,'Atlas',1,1,30,1.5,0),(2,'Novel',1,2,10,0.4,0),(3,'Chess',2,1,25,1.1,0),(4,'Cards',2,2,5,NULL,1),(5,'Spade',3,2,40,2.5,0),(6,'Rake',3,NULL,20,1.9,1);
INSERT INTO customers VALUES (1,'Ada','Brown','ada@x.org','Brown Ltd',1,'2022-01-05'),(2,'Bob','Gray',NULL,NULL,1,'2022-06-01'),(3,'Cy','Green','cy@x.org',NULL,0,'2023-02-01'),(4,'Di','White','di@x.org','',1,'2023-08-09'),(5,'Ed','Black','ed@x.org','Black AG',0,'2024-04-04');
INSERT INTO addresses VALUES (1,1,'A 1','London','UK'),(2,1,'A 2','Paris','France'),(3,2,'B 1','Berlin','Germany'),(4,3,'C 1','London','UK'),(5,4,'D 1','Lyon','France');
INSERT INTO employees VALUES (1,'Max','Boss','Management',9000,'2015-01-01',NULL),(2,'Sue','Seller','Sales',5000,'2018-03-01',1),(3,'Tim','Seller','Sales',4500,'2020-07-15',1),(4,'Uma','Helper','Support',4000,'2021-02-01',1);
INSERT INTO orders VALUES (1,1,2,1,1,'shipped','2023-02-10','2023-02-12',75),(2,1,2,2,1,'shipped','2023-11-03','2023-11-05',45),(3,2,3,3,3,'open','2024-01-20',NULL,40),(4,3,3,4,4,'cancelled','2024-02-02',NULL,30),(5,2,2,3,3,'shipped','2024-05-06','2024-05-09',95),(6,4,NULL,5,5,'open','2024-10-30',NULL,10);
INSERT INTO order_items VALUES (1,1,1,1,30),(2,1,3,1,25),(3,1,2,2,10),(4,2,4,1,5),(5,2,5,1,40),(6,3,2,4,10),(7,4,1,1,30),(8,5,5,2,40),(9,5,4,3,5),(10,6,2,1,10);
INSERT INTO payments VALUES (1,1,75,'card','2023-02-10'),(2,2,20,'card','2023-11-03'),(3,2,25,'cash','2023-11-04'),(4,5,95,'transfer','2024-05-07');
INSERT INTO returns VALUES (1,2,'broken',25,'2023-03-01'),(2,8,'late',40,'2024-06-01');
INSERT INTO support_tickets VALUES (1,1,4,'Broken chess','high','closed','2023-02-20','2023-02-22'),(2,2,4,'Where is it','low','open','2024-01-25',NULL),(3,2,3,'Refund','high','open','2024-06-02',NULL);
`

/** Abbreviated names, no foreign keys declared. */
const UGLY = `
CREATE TABLE tbl_cust (cust_id INTEGER PRIMARY KEY, cust_nm TEXT, ctry TEXT, tel TEXT);
CREATE TABLE dim_prod (prod_id INTEGER PRIMARY KEY, prod_nm TEXT, prod_cat_id INTEGER, unitprice NUMERIC(8,2));
CREATE TABLE tbl_prod_cat (prod_cat_id INTEGER PRIMARY KEY, descr TEXT);
CREATE TABLE fact_sales (sale_id INTEGER PRIMARY KEY, cust_id INTEGER, prod_id INTEGER, sale_dt DATE, qty INTEGER, sales_amt NUMERIC(10,2));
INSERT INTO tbl_cust VALUES (1,'Alpha','DE','1'),(2,'Beta','FR',NULL),(3,'Gamma','DE',NULL);
INSERT INTO dim_prod VALUES (1,'Bolt',1,2.5),(2,'Nut',1,1),(3,'Saw',2,20);
INSERT INTO tbl_prod_cat VALUES (1,'Fasteners'),(2,'Tools');
INSERT INTO fact_sales VALUES (1,1,1,'2024-01-03',10,25),(2,1,3,'2024-02-03',1,20),(3,2,2,'2025-01-09',5,5),(4,2,3,'2025-03-09',2,40);
`

type Case = readonly [question: string, reference: string]

const LINES = 'FROM InvoiceLine l JOIN Invoice i ON i.InvoiceId = l.InvoiceId JOIN Track t ON t.TrackId = l.TrackId'

/** Each with a query written by hand; an ORDER BY in it makes the order part of the test. */
const MUSIC_QUESTIONS: readonly Case[] = [
  [
    'Which five genres earned the most, and how much?',
    // Two share the fifth place, and both are shown.
    `SELECT Name, Amount FROM (SELECT g.Name AS Name, ROUND(SUM(l.UnitPrice * l.Quantity), 2) AS Amount, RANK() OVER (ORDER BY SUM(l.UnitPrice * l.Quantity) DESC) AS Place ${LINES} JOIN Genre g ON g.GenreId = t.GenreId GROUP BY g.GenreId) WHERE Place <= 5 ORDER BY 2 DESC, 1`,
  ],
  ['How many customers are there?', 'SELECT COUNT(*) FROM Customer'],
  ['count the tracks', 'SELECT COUNT(*) FROM Track'],
  // A track's composer is called the same.
  [
    'How many tracks does AC/DC have?',
    "SELECT COUNT(*) FROM Track JOIN Album a USING (AlbumId) JOIN Artist r USING (ArtistId) WHERE r.Name = 'AC/DC'",
  ],
  ['what is the number of albums?', 'SELECT COUNT(*) FROM Album'],
  ['how many tracks are in the Rock genre', 'SELECT COUNT(*) FROM Track WHERE GenreId = 1'],
  ['how many Rock tracks are there', 'SELECT COUNT(*) FROM Track WHERE GenreId = 1'],
  ['How many customers in Brazil?', "SELECT COUNT(*) FROM Customer WHERE Country = 'Brazil'"],
  ['how many customers are not from the USA', "SELECT COUNT(*) FROM Customer WHERE Country <> 'USA'"],
  [
    'customers in Brazil or Germany',
    "SELECT FirstName || ' ' || LastName FROM Customer WHERE Country IN ('Brazil', 'Germany')",
  ],
  ['which customers are from the USA?', "SELECT FirstName || ' ' || LastName FROM Customer WHERE Country = 'USA'"],
  ['total revenue', 'SELECT SUM(Total) FROM Invoice'],
  ['total revenue in 2023', "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate LIKE '2023%'"],
  ['how much did we earn in 2024?', "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate LIKE '2024%'"],
  ['how much money did we make in March 2024', "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate LIKE '2024-03%'"],
  [
    'total sales in Q1 2024',
    "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate >= '2024-01-01' AND InvoiceDate < '2024-04-01'",
  ],
  ['sales since 2024', "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate >= '2024-01-01'"],
  ['sales last month', "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate LIKE '2026-10%'"],
  ['sales in the last 3 months', "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate >= '2026-08-23'"],
  ['revenue before 2024', "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate < '2024-01-01'"],
  [
    'revenue between 2023 and 2024',
    "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate >= '2023-01-01' AND InvoiceDate < '2025-01-01'",
  ],
  [
    'revenue per country',
    'SELECT c.Country, SUM(i.Total) FROM Invoice i JOIN Customer c USING (CustomerId) GROUP BY 1 ORDER BY 2 DESC, 1',
  ],
  ['revenue by billing country', 'SELECT BillingCountry, SUM(Total) FROM Invoice GROUP BY 1 ORDER BY 2 DESC, 1'],
  [
    'sales per year',
    "SELECT CAST(strftime('%Y', InvoiceDate) AS INTEGER), SUM(Total) FROM Invoice GROUP BY 1 ORDER BY 1",
  ],
  [
    'monthly sales in 2024',
    "SELECT strftime('%Y-%m', InvoiceDate), SUM(Total) FROM Invoice WHERE InvoiceDate LIKE '2024%' GROUP BY 1 ORDER BY 1",
  ],
  [
    'revenue by quarter in 2023',
    "SELECT CASE WHEN InvoiceDate < '2023-04' THEN '2023-Q1' ELSE '2023-Q4' END, SUM(Total) FROM Invoice WHERE InvoiceDate LIKE '2023%' GROUP BY 1 ORDER BY 1",
  ],
  [
    'revenue by genre and year',
    `SELECT g.Name, CAST(strftime('%Y', i.InvoiceDate) AS INTEGER), ROUND(SUM(l.UnitPrice * l.Quantity), 2) ${LINES} JOIN Genre g ON g.GenreId = t.GenreId GROUP BY 1, 2`,
  ],
  [
    'revenue for Germany by year',
    "SELECT CAST(strftime('%Y', InvoiceDate) AS INTEGER), SUM(Total) FROM Invoice WHERE BillingCountry = 'Germany' GROUP BY 1",
  ],
  [
    'top 3 artists by revenue',
    `SELECT a.Name, ROUND(SUM(l.UnitPrice * l.Quantity), 2) ${LINES} JOIN Album b ON b.AlbumId = t.AlbumId JOIN Artist a ON a.ArtistId = b.ArtistId GROUP BY a.ArtistId ORDER BY 2 DESC, 1 LIMIT 3`,
  ],
  [
    'Which customer spent the most?',
    "SELECT c.FirstName || ' ' || c.LastName, SUM(i.Total) FROM Invoice i JOIN Customer c USING (CustomerId) GROUP BY c.CustomerId ORDER BY 2 DESC LIMIT 1",
  ],
  [
    'who spent the most in 2024',
    "SELECT c.FirstName || ' ' || c.LastName, SUM(i.Total) FROM Invoice i JOIN Customer c USING (CustomerId) WHERE i.InvoiceDate LIKE '2024%' GROUP BY c.CustomerId ORDER BY 2 DESC LIMIT 1",
  ],
  [
    'which genre has the most tracks',
    'SELECT g.Name, COUNT(*) FROM Track t JOIN Genre g USING (GenreId) GROUP BY g.GenreId ORDER BY 2 DESC, 1 LIMIT 1',
  ],
  ['which genre has the fewest tracks', "SELECT 'Opera', 0"],
  [
    'which genres earned the least',
    `SELECT g.Name, COALESCE(ROUND(SUM(l.UnitPrice * l.Quantity), 2), 0) FROM Genre g LEFT JOIN Track t USING (GenreId) LEFT JOIN InvoiceLine l USING (TrackId) GROUP BY g.GenreId ORDER BY 2, 1`,
  ],
  [
    'which genre sold the most',
    `SELECT g.Name, SUM(l.Quantity) ${LINES} JOIN Genre g ON g.GenreId = t.GenreId GROUP BY 1 ORDER BY 2 DESC LIMIT 1`,
  ],
  [
    'best-selling album',
    `SELECT b.Title, SUM(l.Quantity) ${LINES} JOIN Album b ON b.AlbumId = t.AlbumId GROUP BY 1 ORDER BY 2 DESC LIMIT 1`,
  ],
  ['which country has the most customers', "SELECT 'Brazil', 2 UNION SELECT 'USA', 2"],
  [
    'top 2 countries by number of customers',
    'SELECT Country, COUNT(*) FROM Customer GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2',
  ],
  [
    'which year had the highest revenue',
    "SELECT CAST(strftime('%Y', InvoiceDate) AS INTEGER), SUM(Total) FROM Invoice GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
  ],
  ['What is the average invoice total?', 'SELECT AVG(Total) FROM Invoice'],
  ['average unit price of tracks', 'SELECT AVG(UnitPrice) FROM Track'],
  [
    'average track length per genre',
    'SELECT g.Name, AVG(t.Milliseconds) FROM Track t JOIN Genre g USING (GenreId) GROUP BY 1',
  ],
  ['what is the highest invoice total', 'SELECT MAX(Total) FROM Invoice'],
  ['which invoice has the lowest total', 'SELECT InvoiceId FROM Invoice WHERE Total = 0.99'],
  [
    'how many songs does each genre have',
    'SELECT g.Name, COUNT(TrackId) FROM Genre g LEFT JOIN Track t USING (GenreId) GROUP BY GenreId',
  ],
  [
    'how many albums does each artist have',
    'SELECT a.Name, COUNT(AlbumId) FROM Artist a LEFT JOIN Album b USING (ArtistId) GROUP BY ArtistId',
  ],
  [
    'number of customers per support rep',
    "SELECT e.FirstName || ' ' || e.LastName, COUNT(*) FROM Customer c JOIN Employee e ON e.EmployeeId = c.SupportRepId GROUP BY e.EmployeeId",
  ],
  ['customers per country', 'SELECT Country, COUNT(*) FROM Customer GROUP BY 1'],
  [
    'how many tracks per playlist',
    'SELECT p.Name, COUNT(*) FROM PlaylistTrack x JOIN Playlist p USING (PlaylistId) GROUP BY 1',
  ],
  [
    'revenue per playlist',
    'SELECT p.Name, ROUND(SUM(l.UnitPrice * l.Quantity), 2) FROM InvoiceLine l JOIN PlaylistTrack x USING (TrackId) JOIN Playlist p USING (PlaylistId) GROUP BY 1',
  ],
  [
    'how many customers per genre',
    'SELECT g.Name, COUNT(DISTINCT i.CustomerId) FROM InvoiceLine l JOIN Invoice i USING (InvoiceId) JOIN Track t USING (TrackId) JOIN Genre g USING (GenreId) GROUP BY 1',
  ],
  ['tracks by AC/DC', 'SELECT t.Name FROM Track t JOIN Album b USING (AlbumId) WHERE b.ArtistId = 1'],
  ['how many albums by Metallica', 'SELECT COUNT(*) FROM Album WHERE ArtistId = 4'],
  ['albums of the artist Metallica', 'SELECT Title FROM Album WHERE ArtistId = 4'],
  ['how many tracks does the album "Kind of Blue" have', 'SELECT COUNT(*) FROM Track WHERE AlbumId = 2'],
  ['what is the longest Rock track', 'SELECT Name FROM Track WHERE GenreId = 1 ORDER BY Milliseconds DESC LIMIT 1'],
  [
    'number of tracks per genre sorted by name',
    'SELECT g.Name, COUNT(*) FROM Track t JOIN Genre g USING (GenreId) GROUP BY 1 ORDER BY 1',
  ],
  [
    'revenue per country sorted by revenue',
    'SELECT c.Country, SUM(i.Total) FROM Invoice i JOIN Customer c USING (CustomerId) GROUP BY 1 ORDER BY 2, 1',
  ],
  ['tracks by Miles Davis', 'SELECT Name FROM Track WHERE AlbumId = 2'],
  ['how many tracks does the artist Miles Davis have', 'SELECT 2'],
  ['how many tracks are in the Pop genre', 'SELECT 1'],
  ['longest track', 'SELECT Name, Milliseconds FROM Track ORDER BY Milliseconds DESC LIMIT 1'],
  ['the three shortest tracks', 'SELECT Name, Milliseconds FROM Track ORDER BY Milliseconds LIMIT 3'],
  ['most expensive track', 'SELECT Name, UnitPrice FROM Track ORDER BY UnitPrice DESC LIMIT 1'],
  ['tracks longer than 6 minutes', 'SELECT Name FROM Track WHERE Milliseconds > 360000'],
  ['how many tracks are shorter than 300 seconds', 'SELECT COUNT(*) FROM Track WHERE Milliseconds < 300000'],
  ['tracks cheaper than 1', 'SELECT Name FROM Track WHERE UnitPrice < 1'],
  ['how many tracks cost more than 1', 'SELECT COUNT(*) FROM Track WHERE UnitPrice > 1'],
  ['invoices with a total over 3', 'SELECT InvoiceId FROM Invoice WHERE Total > 3'],
  ['invoices with a total between 2 and 4', 'SELECT InvoiceId FROM Invoice WHERE Total BETWEEN 2 AND 4'],
  ['customers without a company', "SELECT FirstName || ' ' || LastName FROM Customer WHERE Company IS NULL"],
  ['how many customers have no fax', 'SELECT COUNT(*) FROM Customer WHERE Fax IS NULL'],
  ['customers with a fax', "SELECT FirstName || ' ' || LastName FROM Customer WHERE Fax IS NOT NULL"],
  ['artists without albums', "SELECT 'Silent Band' UNION SELECT 'x' WHERE 0"],
  ['albums with no tracks', "SELECT 'Empty Sleeve' UNION SELECT 'Miles Davis'"],
  ['tracks without an album', 'SELECT Name FROM Track WHERE AlbumId IS NULL'],
  ['which playlists have no tracks', "SELECT 'Empty' UNION SELECT 'Pop'"],
  ['customers without invoices', "SELECT 'Zoe Quiet'"],
  ['which customers have no support rep', "SELECT 'Rosa Lima'"],
  [
    'how many tracks have never been sold',
    'SELECT COUNT(*) FROM Track WHERE TrackId NOT IN (SELECT TrackId FROM InvoiceLine)',
  ],
  [
    'how many customers never bought Rock tracks',
    'SELECT COUNT(*) FROM Customer WHERE CustomerId NOT IN (SELECT i.CustomerId FROM Invoice i JOIN InvoiceLine l USING (InvoiceId) WHERE l.TrackId IN (1, 2, 8))',
  ],
  [
    'customers who bought Jazz tracks',
    "SELECT FirstName || ' ' || LastName FROM Customer WHERE CustomerId IN (SELECT i.CustomerId FROM Invoice i JOIN InvoiceLine l USING (InvoiceId) WHERE l.TrackId IN (3, 4))",
  ],
  [
    'how many customers bought Rock tracks in 2023',
    "SELECT COUNT(DISTINCT i.CustomerId) FROM Invoice i JOIN InvoiceLine l USING (InvoiceId) WHERE l.TrackId IN (1, 2, 8) AND i.InvoiceDate LIKE '2023%'",
  ],
  [
    'customers who did not buy in 2024',
    "SELECT FirstName || ' ' || LastName FROM Customer WHERE CustomerId NOT IN (SELECT CustomerId FROM Invoice WHERE InvoiceDate LIKE '2024%')",
  ],
  [
    'customers who bought Rock but not Jazz',
    "SELECT FirstName || ' ' || LastName FROM Customer WHERE CustomerId IN (SELECT i.CustomerId FROM Invoice i JOIN InvoiceLine l USING (InvoiceId) WHERE l.TrackId IN (1, 2, 8)) AND CustomerId NOT IN (SELECT i.CustomerId FROM Invoice i JOIN InvoiceLine l USING (InvoiceId) WHERE l.TrackId IN (3, 4))",
  ],
  [
    'customers who bought in both 2023 and 2024',
    "SELECT FirstName || ' ' || LastName FROM Customer WHERE CustomerId IN (SELECT CustomerId FROM Invoice WHERE InvoiceDate LIKE '2023%') AND CustomerId IN (SELECT CustomerId FROM Invoice WHERE InvoiceDate LIKE '2024%')",
  ],
  ['Who does Jane Peacock report to?', "SELECT 'Nancy Edwards'"],
  ['total invoiced in 2024', "SELECT ROUND(SUM(Total), 2) FROM Invoice WHERE InvoiceDate LIKE '2024%'"],
  [
    'customers with more than 1 invoice',
    "SELECT FirstName || ' ' || LastName FROM Customer WHERE CustomerId IN (1, 3)",
  ],
  [
    'customers with fewer than 2 invoices',
    "SELECT FirstName || ' ' || LastName FROM Customer WHERE CustomerId NOT IN (1, 3)",
  ],
  ['customers with exactly 2 invoices', "SELECT 'John Miller'"],
  [
    'customers who spent more than 5',
    "SELECT FirstName || ' ' || LastName FROM Customer WHERE CustomerId IN (SELECT CustomerId FROM Invoice GROUP BY 1 HAVING SUM(Total) > 5)",
  ],
  [
    'how many customers spent at least 2 in 2024',
    "SELECT COUNT(*) FROM (SELECT CustomerId FROM Invoice WHERE InvoiceDate LIKE '2024%' GROUP BY 1 HAVING SUM(Total) >= 2)",
  ],
  [
    'genres with sales over 3',
    `SELECT g.Name ${LINES} JOIN Genre g ON g.GenreId = t.GenreId GROUP BY 1 HAVING SUM(l.UnitPrice * l.Quantity) > 3`,
  ],
  [
    'which albums have more than 1 track',
    'SELECT Title FROM Album WHERE AlbumId IN (SELECT AlbumId FROM Track GROUP BY 1 HAVING COUNT(*) > 1)',
  ],
  ['artists with Rock tracks longer than 5 minutes', "SELECT 'AC/DC'"],
  ['how many playlists contain Rock tracks', 'SELECT 2'],
  ['which employees report to Andrew Adams', "SELECT 'Nancy Edwards'"],
  ['who reports to Nancy Edwards?', "SELECT FirstName || ' ' || LastName FROM Employee WHERE ReportsTo = 2"],
  ['employees hired before 2003', "SELECT FirstName || ' ' || LastName FROM Employee WHERE HireDate < '2003-01-01'"],
  ['employees born after 1970', "SELECT 'Jane Peacock'"],
  ['What is the email of Luis Silva?', "SELECT 'Luis Silva', 'luis@example.br'"],
  [
    'list the names and emails of customers in the USA',
    "SELECT FirstName || ' ' || LastName, Email FROM Customer WHERE Country = 'USA'",
  ],
  [
    'list customers sorted by last name',
    "SELECT FirstName || ' ' || LastName FROM Customer ORDER BY LastName, FirstName",
  ],
  ['list genres sorted by name descending', 'SELECT Name FROM Genre ORDER BY Name DESC'],
  ['show all genres', 'SELECT Name FROM Genre'],
  ['how many tracks were sold in 2023', `SELECT SUM(l.Quantity) ${LINES} WHERE i.InvoiceDate LIKE '2023%'`],
  ['how many different tracks were sold', 'SELECT COUNT(DISTINCT TrackId) FROM InvoiceLine'],
  ['how many Rock tracks were sold', 'SELECT SUM(Quantity) FROM InvoiceLine WHERE TrackId IN (1, 2, 8)'],
  [
    'units sold per media type',
    `SELECT m.Name, SUM(l.Quantity) ${LINES} JOIN MediaType m ON m.MediaTypeId = t.MediaTypeId GROUP BY 1`,
  ],
  ['how many different countries do customers come from', 'SELECT COUNT(DISTINCT Country) FROM Customer'],
  ['which countries do customers live in', 'SELECT DISTINCT Country FROM Customer'],
  [
    'what percentage of revenue comes from Rock',
    `SELECT ROUND(100.0 * SUM(CASE WHEN t.GenreId = 1 THEN l.UnitPrice * l.Quantity END) / SUM(l.UnitPrice * l.Quantity), 2) ${LINES}`,
  ],
  ['percentage of customers in Brazil', 'SELECT ROUND(100.0 * 2 / 6, 2)'],
  ['percentage of customers who bought Jazz tracks', 'SELECT ROUND(100.0 * 1 / 6, 2)'],
  [
    'share of revenue by genre',
    `SELECT g.Name, ROUND(100.0 * SUM(l.UnitPrice * l.Quantity) / (SELECT SUM(UnitPrice * Quantity) FROM InvoiceLine), 2) ${LINES} JOIN Genre g ON g.GenreId = t.GenreId GROUP BY 1`,
  ],
  [
    'how much did customers in Brazil spend in 2024',
    "SELECT SUM(i.Total) FROM Invoice i JOIN Customer c USING (CustomerId) WHERE c.Country = 'Brazil' AND i.InvoiceDate LIKE '2024%'",
  ],
  ['how much did Luis Silva spend', 'SELECT SUM(Total) FROM Invoice WHERE CustomerId = 1'],
  [
    'how much revenue did Rock generate',
    'SELECT SUM(UnitPrice * Quantity) FROM InvoiceLine WHERE TrackId IN (1, 2, 8)',
  ],
  [
    'revenue by support rep',
    "SELECT e.FirstName || ' ' || e.LastName, SUM(i.Total) FROM Invoice i JOIN Customer c USING (CustomerId) JOIN Employee e ON e.EmployeeId = c.SupportRepId GROUP BY 1",
  ],
  ['tracks whose name starts with "S"', "SELECT Name FROM Track WHERE Name LIKE 'S%'"],
  ["tracks containing 'blue'", "SELECT Name FROM Track WHERE Name LIKE '%blue%'"],
  [
    'average number of invoices per customer',
    'SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM Invoice GROUP BY CustomerId)',
  ],
  ['average revenue per customer', 'SELECT AVG(n) FROM (SELECT SUM(Total) AS n FROM Invoice GROUP BY CustomerId)'],
  [
    'average revenue per year',
    "SELECT AVG(n) FROM (SELECT SUM(Total) AS n FROM Invoice GROUP BY strftime('%Y', InvoiceDate))",
  ],
  [
    'average number of tracks per album',
    'SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM Track WHERE AlbumId IS NOT NULL GROUP BY AlbumId)',
  ],
  ['how many customers and how many tracks', 'SELECT 6, 10'],
  ['number of invoices and revenue', 'SELECT 8, SUM(Total) FROM Invoice'],
  ['min and max total of invoices', 'SELECT MIN(Total), MAX(Total) FROM Invoice'],
  [
    'number of customers and revenue by country',
    'SELECT c.Country, COUNT(DISTINCT c.CustomerId), COALESCE(SUM(i.Total), 0) FROM Customer c LEFT JOIN Invoice i USING (CustomerId) GROUP BY 1',
  ],
  [
    'number of invoices and revenue by year',
    "SELECT CAST(strftime('%Y', InvoiceDate) AS INTEGER), COUNT(*), SUM(Total) FROM Invoice GROUP BY 1 ORDER BY 1",
  ],
  [
    'top 1 tracks per genre by revenue',
    `SELECT genre, name, sum FROM (SELECT g.Name AS genre, t.Name AS name, ROUND(SUM(l.UnitPrice * l.Quantity), 2) AS sum, RANK() OVER (PARTITION BY g.GenreId ORDER BY ROUND(SUM(l.UnitPrice * l.Quantity), 2) DESC) AS n ${LINES} JOIN Genre g ON g.GenreId = t.GenreId GROUP BY t.TrackId) WHERE n = 1 ORDER BY 1, 2`,
  ],
  [
    'top 2 tracks by price in each genre',
    'SELECT genre, name FROM (SELECT g.Name AS genre, t.Name AS name, RANK() OVER (PARTITION BY g.GenreId ORDER BY t.UnitPrice DESC) AS n FROM Track t JOIN Genre g USING (GenreId)) WHERE n <= 2 ORDER BY 1, 2',
  ],
  // The total of an invoice is added up over those of a customer, anew within each year.
  ...['in each year', 'annually', 'for every year'].map(
    (each) =>
      [
        `top 1 customers by invoice total ${each}`,
        "SELECT year, name, sum FROM (SELECT CAST(strftime('%Y', i.InvoiceDate) AS INTEGER) AS year, c.FirstName || ' ' || c.LastName AS name, ROUND(SUM(i.Total), 2) AS sum, RANK() OVER (PARTITION BY strftime('%Y', i.InvoiceDate) ORDER BY ROUND(SUM(i.Total), 2) DESC) AS n FROM Invoice i JOIN Customer c USING (CustomerId) GROUP BY 1, c.CustomerId) WHERE n = 1 ORDER BY 1, 2",
      ] as const,
  ),
  [
    'longest track per genre',
    'SELECT g.Name, t.Name FROM Track t JOIN Genre g USING (GenreId) WHERE t.Milliseconds = (SELECT MAX(Milliseconds) FROM Track u WHERE u.GenreId = t.GenreId)',
  ],
  ['invoice lines with quantity 2', 'SELECT InvoiceLineId FROM InvoiceLine WHERE Quantity = 2'],
]

const SHOP_QUESTIONS: readonly Case[] = [
  ['how many open orders', 'SELECT 2'],
  ['orders that are not open', "SELECT id FROM orders WHERE status <> 'open'"],
  ['how many shipped orders in 2023', 'SELECT 2'],
  ['orders shipped in 2024', "SELECT id FROM orders WHERE shipped_date LIKE '2024%'"],
  ['orders placed in May 2024', 'SELECT 5'],
  ['how many orders have no shipped date', 'SELECT COUNT(*) FROM orders WHERE shipped_date IS NULL'],
  ['orders without an employee', 'SELECT 6'],
  ['number of orders by status', 'SELECT status, COUNT(*) FROM orders GROUP BY 1'],
  [
    'number of orders per shipping city',
    'SELECT a.city, COUNT(*) FROM orders o JOIN addresses a ON a.id = o.shipping_address_id GROUP BY 1',
  ],
  [
    'number of orders per billing city',
    'SELECT a.city, COUNT(*) FROM orders o JOIN addresses a ON a.id = o.billing_address_id GROUP BY 1',
  ],
  ['total revenue', "SELECT SUM(total_amount) FROM orders WHERE status <> 'cancelled'"],
  [
    'revenue by category',
    'SELECT c.name, SUM(i.quantity * i.unit_price) FROM order_items i JOIN products p ON p.id = i.product_id JOIN categories c ON c.id = p.category_id WHERE i.order_id <> 4 GROUP BY 1 ORDER BY 2 DESC',
  ],
  [
    'revenue from Books in 2023',
    "SELECT SUM(i.quantity * i.unit_price) FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.product_id IN (1, 2) AND o.order_date LIKE '2023%'",
  ],
  [
    'revenue per supplier',
    'SELECT s.name, SUM(i.quantity * i.unit_price) FROM order_items i JOIN products p ON p.id = i.product_id JOIN suppliers s ON s.id = p.supplier_id WHERE i.order_id <> 4 GROUP BY 1',
  ],
  [
    'revenue by employee',
    "SELECT e.first_name || ' ' || e.last_name, SUM(o.total_amount) FROM orders o JOIN employees e ON e.id = o.employee_id WHERE o.status <> 'cancelled' GROUP BY e.id",
  ],
  ['average order value', "SELECT AVG(total_amount) FROM orders WHERE status <> 'cancelled'"],
  [
    'average order total per customer',
    "SELECT c.first_name || ' ' || c.last_name, AVG(o.total_amount) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id <> 4 GROUP BY c.id",
  ],
  [
    'top 2 products by units sold',
    'SELECT p.name, SUM(i.quantity) FROM order_items i JOIN products p ON p.id = i.product_id GROUP BY 1 ORDER BY 2 DESC LIMIT 2',
  ],
  ['which category earned the least', "SELECT 'Void', 0"],
  ['products never ordered', "SELECT 'Rake'"],
  ['which products have never been sold', "SELECT 'Rake'"],
  ['customers who never ordered', "SELECT 'Ed Black'"],
  ['suppliers without products', "SELECT 'Idle Supply'"],
  [
    'how many customers placed an order in 2024',
    "SELECT COUNT(DISTINCT customer_id) FROM orders WHERE order_date LIKE '2024%'",
  ],
  [
    'how many customers ordered Books',
    'SELECT COUNT(DISTINCT o.customer_id) FROM orders o JOIN order_items i ON i.order_id = o.id WHERE i.product_id IN (1, 2)',
  ],
  ['customers who bought Atlas', "SELECT 'Ada Brown' UNION SELECT 'Cy Green'"],
  ['orders over 50', 'SELECT id FROM orders WHERE total_amount > 50'],
  ['customers with an order over 50', "SELECT 'Ada Brown' UNION SELECT 'Bob Gray'"],
  ['the first order', 'SELECT 1'],
  ['the last 2 orders', 'SELECT id FROM orders ORDER BY order_date DESC LIMIT 2'],
  ['order 3', 'SELECT 3'],
  ['who manages Sue Seller', "SELECT 'Max Boss'"],
  ['who reports to Max Boss', "SELECT 'Sue Seller' UNION SELECT 'Tim Seller' UNION SELECT 'Uma Helper'"],
  ['which employees have no manager', "SELECT 'Max Boss'"],
  ['number of employees per manager', "SELECT 'Max Boss', 3"],
  ['revenue of cancelled orders', 'SELECT 30'],
  ['customers with more than 1 order', "SELECT 'Ada Brown' UNION SELECT 'Bob Gray'"],
  ['active customers', "SELECT first_name || ' ' || last_name FROM customers WHERE is_active"],
  ['inactive customers', "SELECT first_name || ' ' || last_name FROM customers WHERE NOT is_active"],
  ['how many discontinued products', 'SELECT 2'],
  [
    'customers without a company',
    "SELECT first_name || ' ' || last_name FROM customers WHERE COALESCE(company, '') = ''",
  ],
  ['customers in London', "SELECT 'Ada Brown' UNION SELECT 'Cy Green'"],
  ['customers created in 2023', "SELECT 'Cy Green' UNION SELECT 'Di White'"],
  ['average salary per department', 'SELECT department, AVG(salary) FROM employees GROUP BY 1'],
  ['who has the highest salary', "SELECT 'Max Boss'"],
  ['highest salary per department', 'SELECT department, MAX(salary) FROM employees GROUP BY 1'],
  ['employees in Sales', "SELECT first_name || ' ' || last_name FROM employees WHERE department = 'Sales'"],
  ['employees in sales', "SELECT first_name || ' ' || last_name FROM employees WHERE department = 'Sales'"],
  [
    'employees hired since 2018',
    "SELECT first_name || ' ' || last_name FROM employees WHERE hire_date >= '2018-01-01'",
  ],
  ['total payment amount per method', 'SELECT method, SUM(amount) FROM payments GROUP BY 1'],
  ['total refund amount', 'SELECT SUM(refund_amount) FROM returns'],
  ['orders with total amount over 50', 'SELECT id FROM orders WHERE total_amount > 50'],
  [
    'products from Germany',
    "SELECT p.name FROM products p JOIN suppliers s ON s.id = p.supplier_id WHERE s.country = 'Germany'",
  ],
  ['products supplied by Acme', 'SELECT p.name FROM products p WHERE supplier_id = 1'],
  [
    'how many products does each supplier supply',
    'SELECT s.name, COUNT(p.id) FROM suppliers s LEFT JOIN products p ON s.id = p.supplier_id GROUP BY s.id',
  ],
  ['open support tickets of Bob Gray', "SELECT subject FROM support_tickets WHERE customer_id = 2 AND status = 'open'"],
  ['high priority tickets', "SELECT subject FROM support_tickets WHERE priority = 'high'"],
  ['tickets opened in 2024', "SELECT subject FROM support_tickets WHERE opened_at LIKE '2024%'"],
  [
    'returns per product',
    'SELECT p.name, COUNT(*) FROM returns r JOIN order_items i ON i.id = r.order_item_id JOIN products p ON p.id = i.product_id GROUP BY 1',
  ],
  ['products heavier than 1', 'SELECT name FROM products WHERE weight_kg > 1'],
  ['products with price between 10 and 30', 'SELECT name FROM products WHERE price BETWEEN 10 AND 30'],
  ['the 2 cheapest products', 'SELECT name, price FROM products ORDER BY price LIMIT 2'],
  ['the 3 most recent orders', 'SELECT id FROM orders ORDER BY order_date DESC LIMIT 3'],
  ['what is the price of Atlas', "SELECT 'Atlas', 30"],
  ['percentage of orders in 2024 that are open', 'SELECT 50.0'],
  [
    'how many products were sold in 2024',
    "SELECT SUM(i.quantity) FROM order_items i JOIN orders o ON o.id = i.order_id WHERE o.order_date LIKE '2024%' AND o.id <> 4",
  ],
  ['customers who bought more than 3 products', "SELECT 'Ada Brown' UNION SELECT 'Bob Gray'"],
  ['customers who spent more than 50 in 2024', "SELECT 'Bob Gray'"],
  ['how much did Ada Brown spend', 'SELECT 120'],
  ['orders from customers who bought Atlas', 'SELECT 1 UNION SELECT 2 UNION SELECT 4'],
  [
    'revenue from customers who bought Atlas',
    'SELECT SUM(total_amount) FROM orders WHERE customer_id IN (1, 3) AND id <> 4',
  ],
  ['customers without open orders', "SELECT 'Ada Brown' UNION SELECT 'Cy Green' UNION SELECT 'Ed Black'"],
  ['tickets closed in 2023', "SELECT 'Broken chess'"],
  ['total of all orders', "SELECT SUM(total_amount) FROM orders WHERE status <> 'cancelled'"],
  ['how many items were returned', 'SELECT 2'],
  ['products bought by Bob Gray', "SELECT 'Cards' UNION SELECT 'Novel' UNION SELECT 'Spade'"],
  ['how many customers in London bought Books in 2023', 'SELECT 1'],
]

const UGLY_QUESTIONS: readonly Case[] = [
  ['how many customers', 'SELECT 3'],
  ['total sales', 'SELECT 90'],
  [
    'revenue per customer',
    'SELECT c.cust_nm, SUM(s.sales_amt) FROM fact_sales s JOIN tbl_cust c USING (cust_id) GROUP BY 1',
  ],
  [
    'revenue by product category',
    'SELECT k.descr, SUM(s.sales_amt) FROM fact_sales s JOIN dim_prod p USING (prod_id) JOIN tbl_prod_cat k USING (prod_cat_id) GROUP BY 1',
  ],
  [
    'top 2 products by revenue',
    'SELECT p.prod_nm, SUM(s.sales_amt) FROM fact_sales s JOIN dim_prod p USING (prod_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 2',
  ],
  ['customers in country DE', "SELECT cust_nm FROM tbl_cust WHERE ctry = 'DE'"],
  ['customers without a phone', 'SELECT cust_nm FROM tbl_cust WHERE tel IS NULL'],
  ['average unit price of products', 'SELECT AVG(unitprice) FROM dim_prod'],
  ['total quantity in 2024', 'SELECT 11'],
  ['customers without sales', "SELECT 'Gamma'"],
  ['sales per year', 'SELECT 2024, 45 UNION SELECT 2025, 45'],
  ['which customer spent the most', "SELECT 'Alpha', 45 UNION SELECT 'Beta', 45"],
]

const PARAPHRASES: readonly (readonly [Name, ...string[]])[] = [
  [
    'music',
    'Which five genres earned the most?',
    'top 5 genres by revenue',
    'What are the five genres with the highest revenue?',
    'the 5 genres with the most sales',
    'show me the top five genres by total sales',
    'list the 5 highest-earning genres',
    'Which 5 genres generated the most revenue?',
    'which five genres made the most money',
  ],
  [
    'music',
    'how many customers are in Brazil',
    'number of customers in Brazil',
    'count customers from Brazil',
    'how many customers live in Brazil?',
    'How many clients come from Brazil?',
    'how many customers have the country Brazil',
    'how many Brazil customers are there',
  ],
  [
    'music',
    'revenue per country',
    'sales by country',
    'total revenue for each country',
    'what is the total revenue by country?',
    'how much did we earn per country',
    'how much revenue did we make in each country',
  ],
  [
    'music',
    'artists without albums',
    'artists with no albums',
    'which artists have no albums?',
    'artists that do not have any albums',
    'list all artists who have no album',
  ],
  [
    'music',
    'which customer spent the most',
    'who spent the most',
    'top customer by revenue',
    'which customer has the highest total sales',
    'the customer with the highest revenue',
    'Which client spent the most money?',
  ],
  [
    'music',
    'tracks by AC/DC',
    'list all tracks by AC/DC',
    'songs of AC/DC',
    'which tracks are by ac/dc?',
    'tracks from the artist AC/DC',
  ],
  [
    'music',
    'how many tracks per genre',
    'number of tracks per genre',
    'tracks per genre',
    'for each genre, how many tracks are there?',
    'count the tracks in each genre',
    'how many songs per genre',
  ],
  [
    'shop',
    'customers without orders',
    'customers who never ordered',
    'customers with no orders',
    'customers who have not placed an order',
    'which customers did not order?',
    'customers who have no purchases',
  ],
  [
    'shop',
    'how many open orders',
    'how many orders are open',
    'number of orders with status open',
    'count of orders whose status is open',
    "how many orders where status = 'open'",
  ],
]

const REFUSED: readonly (readonly [Name, string, RegExp])[] = [
  ['music', 'write a poem', /poem|write/],
  ['music', 'what is the weather', /weather/],
  ['music', 'compute 17% of 200', /compute/],
  [
    'music',
    'read weather city=Berlin',
    /“city=” is written as a field of a tool: no tool of that name is connected\. There is/,
  ],
  ['music', 'read weather place=Berlin', /“place=” .*no tool of that name is connected, and .* has no column “place”/],
  ['music', 'Welche Kunden haben am meisten bestellt', /does not read as English/],
  ['music', 'I prefer detailed answers', /do not understand “prefer”/],
  ['music', 'My dog is called Rex', /do not understand “dog”/],
  ['music', 'who is the president of France', /president/],
  ['music', 'delete all customers', /delete.*change data/],
  ['music', 'please update the customers', /update.*change data/],
  ['music', 'drop table Track', /drop.*change data/],
  ['music', 'insert a new customer', /insert.*change data/],
  ['music', 'most popular genre', /popular/],
  ['music', 'top 5 customers', /by what/],
  ['music', 'best customers', /by what/],
  ['music', 'sales in 2023 and 2024', /several times/],
  ['music', 'how many customers only bought Rock tracks', /only/],
  ['music', 'customers who bought Rock and Jazz tracks', /both or either/],
  ['music', 'artists with Rock and Jazz tracks', /both or either/],
  ['music', 'sales in 2023 and how many customers', /one figure|two counts/],
  ['music', 'how many customers brought in revenue', /one figure|revenue/],
  ['music', 'average revenue by country', /average revenue of what/],
  ['music', 'average number of invoices', /per/],
  ['music', 'customers in Atlantis', /Atlantis/],
  ['music', 'customers older than 30', /older/],
  ['music', 'why did sales fall in 2023', /why/i],
  ['music', 'when was the last invoice', /when/i],
  ['music', 'how many tracks does Miles Davis have', /Album\.Title or Artist\.Name/],
  ['music', 'how many Pop tracks are there', /Genre\.Name or Playlist\.Name/],
  ['music', 'sales growth by year', /growth/],
  ['music', 'Growth of revenue', /Growth.*“revenue \d+ vs \d+” or “revenue per year”/],
  ['music', 'customers who bought AC/DC', /Track\.Composer.*Artist\.Name/],
  ['music', 'revenue per genre sorted by number of tracks', /cannot sort/],
  ['music', 'predict the sales of next year', /predict/],
  ['music', 'how many invoice lines are expensive', /expensive/],
  ['music', 'average total of invoices by genre', /without counting rows more than once/],
  ['music', 'employees in 2003', /several dates/],
  ['music', 'customers in 2023', /no date/],
  ['music', 'total customer id', /customer id/],
  ['music', 'average email of customers', /no numbers/],
  ['music', 'tracks longer than 5 kilometres', /kilomet/],
  ['music', 'revenue by spaceship', /spaceship|by/],
  ['music', 'customers who almost bought Jazz', /almost/],
  ['music', 'tracks like Wave', /like/],
  ['music', 'how many', /count/],
  ['music', '', /no question/],
  ['music', '?!', /no question/],
  ['music', 'revenue in the Rock or Brazil', /Brazil|Rock/],
  ['shop', 'orders by city', /sort or break down|several ways/],
  ['shop', 'number of orders per city', /shipping_address_id or orders\.billing_address_id/],
  ['shop', 'tickets per product', /no direct way|without counting/],
  ['shop', 'payments per product', /no direct way|without counting/],
  ['shop', 'total payment amount by category', /without counting rows more than once/],
  ['music', 'total invoices', /number or the sum/],
  ['shop', 'which employee sold the most', /of what/],
  ['shop', 'customers who bought Atlas and Chess', /both or either/],
  ['shop', 'customers who bought Atlas in 2023 and Chess in 2024', /several times|both values/],
  ['shop', 'profit by category', /profit/],
  ['shop', 'products below average price', /below|average/],
  ['shop', 'orders delivered late', /delivered/],
  ['shop', 'number of customers who placed an order per year', /which date/],
  ['shop', 'employees who earn more than 4500', /salary or revenue/],
  ['shop', 'how much does Sue Seller earn', /salary or revenue/],
  ['shop', 'who earns the most', /not of what/],
  ['shop', 'revenue per active customer', /per active/],
  ['ugly', 'revenue by warehouse', /warehouse|by/],
  ['ugly', 'employees in DE', /employees/],
]

const TODAY = '2026-11-22'
const SOURCES = { music: MUSIC, shop: SHOP, ugly: UGLY }
type Name = keyof typeof SOURCES

const databases = new Map<Name, Database.Database>()

beforeAll(() => {
  for (const [name, sql] of Object.entries(SOURCES)) {
    const db = new Database(':memory:')
    db.exec(sql)
    databases.set(name as Name, db)
  }
})

afterAll(() => {
  for (const db of databases.values()) db.close()
})

function database(name: Name): Database.Database {
  const db = databases.get(name)
  if (db === undefined) throw new Error(`No database ${name}`)
  return db
}

function ask(name: Name, question: string, dialect: Dialect = 'sqlite'): Promise<Linked> {
  const db = database(name)
  return linkQuestion(question, { ...readSchema(db, name), dialect }, { lookup: lookupIn(db), today: TODAY })
}

/** The answer's rows, cut to as many columns as the reference has; in order where the reference is ordered. */
async function answerRows(name: Name, question: string, width: number): Promise<readonly (readonly unknown[])[]> {
  const linked = await ask(name, question)
  if (linked.kind !== 'query')
    throw new Error(linked.kind === 'refusal' ? `Refused: ${linked.reason}` : 'A schema answer')
  return rowsOf(database(name), linked.sql).map((row) => row.slice(0, width))
}

type Rows = readonly (readonly unknown[])[]

function sorted(rows: Rows): readonly string[] {
  return rows.map((r) => JSON.stringify(r)).sort()
}

const TABLES: readonly (readonly [Name, readonly (readonly [string, string])[]])[] = [
  ['music', MUSIC_QUESTIONS],
  ['shop', SHOP_QUESTIONS],
  ['ugly', UGLY_QUESTIONS],
]

describe.each(TABLES)('questions about %s give the rows of a query written by hand', (name, questions) => {
  it.each(questions)('%s', async (question, reference) => {
    const expected = rowsOf(database(name), reference)
    const actual = await answerRows(name, question, expected[0]?.length ?? 1)
    const inOrder = reference.includes('ORDER BY') ? (rows: Rows) => rows : sorted
    expect(inOrder(actual)).toEqual(inOrder(expected))
  })
})

describe('the same question in other words gives the same rows', () => {
  it.each(PARAPHRASES.map(([name, ...wordings]) => ({ name, wordings, first: wordings[0] })))(
    '$name: $first',
    async ({ name, wordings }) => {
      const results = await Promise.all(wordings.map((w) => answerRows(name, w, 2)))
      for (const [i, rows] of results.entries()) expect(rows, wordings[i]).toEqual(results[0])
    },
  )
})

describe('what cannot be understood is refused, and the reason names it', () => {
  it.each(REFUSED)('%s: %s', async (name, question, named) => {
    const linked = await ask(name, question)
    expect(linked).toMatchObject({ kind: 'refusal', reason: expect.stringMatching(named) })
  })
})

describe('every query parses in the other dialects', () => {
  const all = TABLES.flatMap(([name, questions]) => questions.map(([question]) => [name, question] as const))

  it('PostgreSQL, by its own grammar', async () => {
    const { parse } = await import('libpg-query')
    for (const [name, question] of all) {
      const linked = await ask(name, question, 'postgres')
      if (linked.kind !== 'query') throw new Error(question)
      const tree = await parse(linked.sql)
      expect(tree.stmts, linked.sql).toHaveLength(1)
      expect(Object.keys(tree.stmts?.[0]?.stmt ?? {})).toEqual(['SelectStmt'])
    }
  })

  it.each(['sqlite', 'postgres', 'mysql'] as const)('the gate of %s allows each', async (dialect) => {
    const gate = createGate()
    for (const [name, question] of sample(all, 3)) {
      const linked = await ask(name, question, dialect)
      if (linked.kind !== 'query') throw new Error(question)
      const schema = { ...readSchema(database(name), name), dialect }
      expect(await gate.check(linked.sql, schema), linked.sql).toMatchObject({ allowed: true })
    }
  })

  it('MySQL', async () => {
    const parser = await import('@guanmingchiu/sqlparser-ts')
    await parser.init()
    for (const [name, question] of all) {
      const linked = await ask(name, question, 'mysql')
      if (linked.kind !== 'query') throw new Error(question)
      expect(parser.parse(linked.sql, 'mysql'), linked.sql).toHaveLength(1)
    }
  })

  it('quotes mixed case in PostgreSQL, and joins names by CONCAT in MySQL', async () => {
    const postgres = await ask('music', 'which customer spent the most', 'postgres')
    expect(postgres).toMatchObject({ sql: expect.stringContaining('"Invoice"."Total"') })
    const mysql = await ask('music', 'which customer spent the most', 'mysql')
    expect(mysql).toMatchObject({ sql: expect.stringContaining("CONCAT(Customer.FirstName, ' ', Customer.LastName)") })
  })

  it('writes dates as each dialect does', async () => {
    const sqlOf = async (dialect: Dialect): Promise<string> => {
      const linked = await ask('shop', 'revenue per month', dialect)
      return linked.kind === 'query' ? linked.sql : ''
    }
    expect(await sqlOf('sqlite')).toContain("STRFTIME('%Y-%m', orders.order_date)")
    expect(await sqlOf('postgres')).toContain("TO_CHAR(orders.order_date, 'YYYY-MM')")
    expect(await sqlOf('mysql')).toContain("DATE_FORMAT(orders.order_date, '%Y-%m')")
  })

  it('escapes what it takes from the question and the data', async () => {
    const db = database('music')
    const schema = readSchema(db, 'music')
    const lookup: ValueLookup = async (words) =>
      words.map((word) => (word === "O'Neil\\" ? [{ table: 'Artist', column: 'Name', value: word }] : []))
    const question = 'how many albums by "O\'Neil\\"'
    const sqlite = await linkQuestion(question, schema, { lookup, today: TODAY })
    expect(sqlite).toMatchObject({ kind: 'query', sql: expect.stringContaining("'O''Neil\\'") })
    const mysql = await linkQuestion(question, { ...schema, dialect: 'mysql' }, { lookup, today: TODAY })
    expect(mysql).toMatchObject({ kind: 'query', sql: expect.stringContaining("'O''Neil\\\\'") })
  })
})

describe('questions about the schema need no query', () => {
  it.each(['list all tables', 'what tables are there?', 'show tables', 'which tables do we have'])(
    '%s',
    async (question) => {
      const linked = await ask('music', question)
      const rows = expect.arrayContaining([expect.objectContaining({ table: 'InvoiceLine' })])
      expect(linked).toMatchObject({ kind: 'schema', shape: 'table-list', table: { rows } })
    },
  )

  it.each([
    'what columns does the customers table have?',
    'describe customers',
    'list the columns of customer',
    'which columns are in the customer table',
  ])('%s', async (question) => {
    const linked = await ask('music', question)
    const row = { column: 'SupportRepId', type: 'integer', nullable: 'yes', key: '', references: 'Employee.EmployeeId' }
    expect(linked).toMatchObject({ kind: 'schema', shape: 'describe', table: { rows: expect.arrayContaining([row]) } })
  })

  it('names the tables there are when asked for one that is not', async () => {
    expect(await ask('music', 'what columns does the spaceships table have')).toMatchObject({
      kind: 'refusal',
      reason: expect.stringContaining('Album'),
    })
  })
})

describe('readings that were chosen are told', () => {
  it.each([
    ['music', 'tracks by AC/DC', /Track\.Composer/],
    ['music', 'revenue by genre', /InvoiceLine\.UnitPrice × InvoiceLine\.Quantity/],
    ['ugly', 'revenue per customer', /going by its name/],
    ['shop', 'revenue last year', /2025-01-01 to 2025-12-31/],
    ['music', 'revenue per playlist', /add up to more than the whole/],
    ['music', 'which genres earned the least', /count as zero/],
    ['shop', 'customers who bought Atlas but not Novel', /by all orders, also by those with the status “cancelled”/],
    ['shop', 'products that were never sold', /by all orders, also by those with the status “cancelled”/],
  ] as const)('%s: %s', async (name, question, told) => {
    const linked = await ask(name, question)
    expect(linked).toMatchObject({ kind: 'query', assumptions: expect.arrayContaining([expect.stringMatching(told)]) })
  })

  it('lowers confidence with each', async () => {
    const sure = await ask('music', 'how many customers are there')
    const unsure = await ask('music', 'which genres earned the least')
    expect(sure.kind === 'query' && unsure.kind === 'query' && sure.confidence > unsure.confidence).toBe(true)
  })
})

it('tells tables of several schemas apart, in the lookup as in the SQL', async () => {
  const column = (name: string, kind: ColumnKind, primaryKey = false) => ({
    name,
    type: kind,
    kind,
    nullable: false,
    primaryKey,
  })
  const clients = {
    schema: 'crm',
    name: 'clients',
    kind: 'table',
    columns: [column('id', 'number', true), column('city', 'text')],
    foreignKeys: [],
  } as const
  const asked: string[] = []
  const lookup: ValueLookup = async (words, columns) => {
    asked.push(...columns.map((c) => c.table))
    return words.map((word) => (word === 'Oslo' ? [{ table: 'crm.clients', column: 'city', value: 'Oslo' }] : []))
  }
  const linked = await linkQuestion(
    'how many clients in Oslo',
    { name: 'x', dialect: 'postgres', tables: [clients] },
    { lookup, today: TODAY },
  )
  expect(linked).toMatchObject({
    kind: 'query',
    sql: "SELECT COUNT(*) AS clients\nFROM crm.clients AS clients\nWHERE clients.city = 'Oslo'",
  })
  expect(new Set(asked)).toEqual(new Set(['crm.clients']))
})

it('keeps to the row limit it is given', async () => {
  const db = database('music')
  const linked = await linkQuestion('list all tracks', readSchema(db, 'music'), {
    lookup: lookupIn(db),
    today: TODAY,
    maxRows: 3,
  })
  expect(linked).toMatchObject({ kind: 'query', sql: expect.stringMatching(/LIMIT 3$/) })
})

it('lets errors of the lookup through', async () => {
  const lookup = () => Promise.reject(new Error('connection lost'))
  await expect(
    linkQuestion('customers in Brazil', readSchema(database('music'), 'music'), { lookup, today: TODAY }),
  ).rejects.toThrow('connection lost')
})
