import type { QuestionSet } from './evidence-questions.ts'

/**
 * Questions over texts that nothing was tuned on: what they measure tells how the evidence gate does with documents that it
 * has never seen. Do not change a threshold or a word list because of them.
 */
export const HELD_OUT_TEXTS: Readonly<Record<string, string>> = {
  'rowing-club.md': `# Rules of the Alderwater Rowing Club

## Membership

Anyone of at least twelve years may join. Members under eighteen need the written consent of a parent. The yearly fee is
180 EUR for adults and 75 EUR for juniors; it is due on 1 March. New members pay a joining fee of 40 EUR once. Membership
ends on 31 December if notice is given in writing by 30 September.

## Boats

Boats may be taken out only by members who have passed the skipper's test. Singles are reserved for members with two years
of experience. Every outing is entered in the logbook before the boat leaves the jetty. Damage is reported to the boat
warden, Henrike Sollmann, on the same day. Private boats may be stored in the east hall for 22 EUR a month.

## Safety

Life jackets must be worn from November to March. Nobody rows alone after sunset. Rowing is forbidden when the river stands
above 4.20 metres at the Millbridge gauge. Dogs are not allowed in boats. The rescue launch carries a radio on channel 12.

## Club house

The club house opens at 07:00 and closes at 22:00. The kitchen may be used by all members, and must be left clean. The hall
can be rented for private parties for 150 EUR an evening, with the exception of Sundays. Smoking is not permitted anywhere
on the grounds. Lockers are given out by the secretary, and cost a deposit of 20 EUR.

## Regatta

The autumn regatta takes place on the second Saturday of October. Entries close ten days before. Eights row 1,000 metres,
all other boats 500 metres. The prize of the mixed fours was given by the Torvald family in 1987.
`,
  'dishwasher.txt': `LUMAFJORD D40 DISHWASHER

1. Installation

The machine weighs 38 kg and needs a space of 60 cm by 60 cm. It is connected to cold or warm water of at most 60 degrees.
The drain hose must not be longer than 2.5 metres. The plug must be reachable after installation.

2. Programs

The programme Eco uses 9.5 litres of water and takes 3 hours and 15 minutes. The programme Quick takes 29 minutes and does not
dry the dishes. Intensive washes at 70 degrees and is meant for pots. A programme can be stopped by holding the start button
for three seconds. Half load is available with Eco and Intensive.

3. Salt and rinse aid

Salt is filled in when the salt lamp lights up. The container takes 1.2 kg. Never fill detergent into the salt container:
it destroys the softener. Rinse aid lasts for about 60 washes.

4. Dishes

Aluminium, wood and crystal glasses should not be washed in the machine. Plastic is placed in the upper basket. Knives are laid
with the blade down. The cutlery drawer can be taken out.

5. Faults

E4 means that water stands in the base; close the tap and call the service. E9 means that the filter is blocked; clean it under
running water. If the machine smells, run Intensive without dishes. The door lock is replaced by the service only.

6. Guarantee

The guarantee is two years for the machine and ten years for the motor. It is void if parts of other makers are used. The service
can be reached on weekdays from 8:00 to 17:00. Spare parts are kept for twelve years.
`,
  'excavation.md': `# Field report: the excavation at Harrow Knoll

The excavation lasted from 3 May to 28 July 2019 and was led by Dr Imogen Farrant of Saltmere University. Fourteen students and
three volunteers took part. It was paid for by the Penhallow Trust with 62,000 EUR.

## Finds

In trench B a hoard of 214 silver coins came to light at a depth of 1.4 metres. The youngest coin was struck in 871. They lay in
a pot of grey clay that was broken by a plough. Trench A held the post holes of a hall of 22 metres by 7 metres. No weapons were
found anywhere. Three graves were opened, none of which held any goods.

## Methods

The whole field was surveyed by ground radar before the first cut. Soil was sieved through a mesh of 4 mm. Charcoal from the hearth
was dated to between 840 and 890 by the laboratory in Uppsala. Drone pictures were taken every Friday.

## What comes next

The coins are shown in the museum of Saltmere from February 2021. The field was filled in again and is used as a pasture. A second
campaign is planned for 2023, if the owner of the northern field agrees. The report was written without the results of the pollen
analysis, which was not finished.
`,
}

export const HELD_OUT: QuestionSet = {
  answerable: [
    ['How old must one be to join the rowing club?', 'twelve years'],
    ['How high is the yearly fee for adults?', '180 EUR'],
    ['When is the fee due?', '1 March'],
    ['How much is the joining fee?', '40 EUR'],
    ['By when must notice be given to end the membership?', '30 September'],
    ['Who is the boat warden?', 'Henrike Sollmann'],
    ['What does it cost to store a private boat?', '22 EUR'],
    ['When must life jackets be worn?', 'November to March'],
    ['Above which level of the river is rowing forbidden?', '4.20 metres'],
    ['On which channel is the radio of the rescue launch?', 'channel 12'],
    ['When does the club house open?', '07:00'],
    ['What is the rent of the hall for a private party?', '150 EUR'],
    ['How much is the deposit for a locker?', '20 EUR'],
    ['When does the autumn regatta take place?', 'second Saturday of October'],
    ['How far do eights row?', '1,000 metres'],
    ['Who gave the prize of the mixed fours?', 'Torvald'],
    ['Are dogs allowed in boats?', 'not allowed'],
    ['Is smoking permitted on the grounds?', 'not permitted'],
    ['Can the hall be rented on Sundays?', 'exception of Sundays'],
    ['How heavy is the dishwasher?', '38 kg'],
    ['How long may the drain hose be?', '2.5 metres'],
    ['How much water does Eco use?', '9.5 litres'],
    ['How long does the programme Quick take?', '29 minutes'],
    ['At what temperature does Intensive wash?', '70 degrees'],
    ['How is a programme stopped?', 'three seconds'],
    ['How much salt does the container take?', '1.2 kg'],
    ['For how many washes does rinse aid last?', '60 washes'],
    ['What does E9 mean?', 'filter is blocked'],
    ['What does E4 mean?', 'water stands in the base'],
    ['How long is the guarantee of the motor?', 'ten years'],
    ['For how long are spare parts kept?', 'twelve years'],
    ['Does Quick dry the dishes?', 'does not'],
    ['May crystal glasses be washed in the machine?', 'should not'],
    ['Who led the excavation?', 'Imogen Farrant'],
    ['How many students took part in the excavation?', 'Fourteen'],
    ['Who paid for the excavation?', 'Penhallow Trust'],
    ['How many silver coins were found?', '214'],
    ['When was the youngest coin struck?', '871'],
    ['What mesh was the soil sieved through?', '4 mm'],
    ['Which laboratory dated the charcoal?', 'Uppsala'],
    ['Where are the coins shown?', 'museum of Saltmere'],
    ['Were any weapons found?', 'No weapons'],
    ['Did the graves hold any goods?', 'none of which'],
  ],
  unanswerable: [
    'How many members does the rowing club have?',
    'How many customers do we have?',
    'Who is the president of the club?',
    'What does a life jacket cost?',
    'How many boats does the club own?',
    'When was the club founded?',
    'What is the telephone number of the boat warden?',
    'Who won the regatta last year?',
    'Is there a sauna in the club house?',
    'How long does the skipper’s test take?',
    'What is the fee for a family?',
    'May guests row with a member?',
    'How many lockers are there?',
    'What is the price of the dishwasher?',
    'How loud is the dishwasher?',
    'How much electricity does Eco use?',
    'What does E7 mean?',
    'In which colours is the machine sold?',
    'How many place settings fit into the machine?',
    'Can the machine be controlled by phone?',
    'Who makes the motor?',
    'How often must the filter be replaced?',
    'What does a visit of the service cost?',
    'How deep was trench A?',
    'How many gold coins were found?',
    'Who owns the northern field?',
    'What did the pollen analysis show?',
    'How old were the people in the graves?',
    'What was the weather like during the excavation?',
    'How many visitors has the museum had?',
    'When was the hall burnt down?',
    'Who found the first coin?',
    'What is the revenue of this year?',
    'Which suppliers are late?',
    'How much did the radar survey cost?',
    'How many employees have a dog?',
  ],
}
