/** A music shop in the manner of Chinook, small enough to check by eye. */
export const MUSIC = `
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
INSERT INTO Album VALUES (1,'Back in Black',1),(2,'Kind of Blue',2),(3,'Wave',3),(4,'Ride the Lightning',4),(5,'Powerage',1),(6,'Empty Sleeve',4);
INSERT INTO Genre VALUES (1,'Rock'),(2,'Jazz'),(3,'Latin'),(4,'Metal'),(5,'Pop'),(6,'Blues'),(7,'Opera');
INSERT INTO MediaType VALUES (1,'MPEG audio file'),(2,'AAC audio file');
INSERT INTO Employee VALUES (1,'Adams','Andrew','General Manager',NULL,'1962-02-18','2002-08-14','Edmonton','Canada'),(2,'Edwards','Nancy','Sales Manager',1,'1958-12-08','2002-05-01','Calgary','Canada'),(3,'Peacock','Jane','Sales Support Agent',2,'1973-08-29','2002-04-01','Calgary','Canada'),(4,'Park','Margaret','Sales Support Agent',2,'1947-09-19','2003-05-03','Calgary','Canada');
INSERT INTO Customer VALUES (1,'Luis','Silva','Embraer','Sao Paulo','Brazil',NULL,'luis@example.br',3),(2,'Anna','Schmidt',NULL,'Berlin','Germany','49-1','anna@example.de',3),(3,'John','Miller','Apple','New York','USA',NULL,'john@example.com',4),(4,'Mary','Miller',NULL,'Boston','USA','1-2','mary@example.com',4),(5,'Rosa','Lima',NULL,'Rio','Brazil',NULL,'rosa@example.br',NULL),(6,'Zoe','Quiet',NULL,'Paris','France',NULL,'zoe@example.fr',4);
INSERT INTO Track VALUES (1,'Hells Bells',1,1,1,'Young',312000,0.99),(2,'Shoot to Thrill',1,1,1,'Young',317000,0.99),(3,'So What',2,1,2,'Davis',545000,0.99),(4,'Blue in Green',2,2,2,NULL,337000,0.99),(5,'Wave',3,1,3,'Jobim',175000,0.99),(6,'Fade to Black',4,1,4,'Hetfield',417000,1.29),(7,'Creeping Death',4,1,4,'Hetfield',396000,1.29),(8,'Sin City',5,2,1,'Young',285000,0.99),(9,'Loose Song',NULL,1,5,NULL,100000,1.99),(10,'Old Blues',NULL,1,6,'AC/DC',200000,0.99);
INSERT INTO Invoice VALUES (1,1,'2023-01-10 00:00:00','Sao Paulo','Brazil',3.96),(2,2,'2023-03-05 00:00:00','Berlin','Germany',2.28),(3,3,'2023-12-31 23:00:00','New York','USA',5.25),(4,1,'2024-03-01 00:00:00','Sao Paulo','Brazil',1.98),(5,4,'2024-03-15 00:00:00','Boston','USA',2.58),(6,3,'2024-07-01 00:00:00','New York','USA',0.99),(7,5,'2024-11-20 00:00:00','Rio','Brazil',1.99),(8,1,'2026-10-15 00:00:00','Sao Paulo','Brazil',0.99);
INSERT INTO InvoiceLine VALUES (1,1,1,0.99,2),(2,1,3,0.99,2),(3,2,5,0.99,1),(4,2,6,1.29,1),(5,3,1,0.99,1),(6,3,2,0.99,1),(7,3,6,1.29,1),(8,3,9,1.98,1),(9,4,4,0.99,2),(10,5,7,1.29,2),(11,6,10,0.99,1),(12,7,9,1.99,1),(13,8,1,0.99,1);
INSERT INTO Playlist VALUES (1,'Music'),(2,'Rock Hits'),(3,'Empty');
INSERT INTO PlaylistTrack VALUES (1,1),(1,3),(1,5),(1,6),(2,1),(2,2),(2,8);
`

/** A shop with addresses, several dates, returns and two ways from orders to addresses. */
export const SHOP = `
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
export const UGLY = `
CREATE TABLE tbl_cust (cust_id INTEGER PRIMARY KEY, cust_nm TEXT, ctry TEXT, tel TEXT);
CREATE TABLE dim_prod (prod_id INTEGER PRIMARY KEY, prod_nm TEXT, prod_cat_id INTEGER, unitprice NUMERIC(8,2));
CREATE TABLE tbl_prod_cat (prod_cat_id INTEGER PRIMARY KEY, descr TEXT);
CREATE TABLE fact_sales (sale_id INTEGER PRIMARY KEY, cust_id INTEGER, prod_id INTEGER, sale_dt DATE, qty INTEGER, sales_amt NUMERIC(10,2));
INSERT INTO tbl_cust VALUES (1,'Alpha','DE','1'),(2,'Beta','FR',NULL),(3,'Gamma','DE',NULL);
INSERT INTO dim_prod VALUES (1,'Bolt',1,2.5),(2,'Nut',1,1),(3,'Saw',2,20);
INSERT INTO tbl_prod_cat VALUES (1,'Fasteners'),(2,'Tools');
INSERT INTO fact_sales VALUES (1,1,1,'2024-01-03',10,25),(2,1,3,'2024-02-03',1,20),(3,2,2,'2025-01-09',5,5),(4,2,3,'2025-03-09',2,40);
`
