import { seeded } from '../art/seeded.ts';
import type { Chapter } from '../source/work.ts';
import { Deck } from './deck.ts';

/** Sentences with the placeholders `{person}`, `{place}`, `{day}` and `{month}`. */
export interface Material {
  seasons: Record<string, string[]>;
  openings: string[];
  weather: Record<string, string[]>;
  encounters: string[];
  reflections: string[];
  closings: string[];
  people: { name: string; trait: string }[];
  places: { name: string; description: string }[];
}

const months: [string, number, string][] = [
  ['January', 31, 'moon'],
  ['February', 28, 'lamp'],
  ['March', 31, 'wave'],
  ['April', 30, 'bird'],
  ['May', 31, 'tree'],
  ['June', 30, 'boat'],
  ['July', 31, 'fish'],
  ['August', 31, 'hill'],
  ['September', 30, 'map'],
  ['October', 31, 'key'],
  ['November', 30, 'clock'],
  ['December', 31, 'window'],
];

const units = [
  '',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
];

function ordinal(day: number): string {
  if (day < 20) return units[day] ?? '';
  const [round, prefix] = day < 30 ? ['twentieth', 'twenty'] : ['thirtieth', 'thirty'];
  return day % 10 === 0 ? round : `${prefix}-${units[day % 10]}`;
}

const clock = (minutes: number): string =>
  `${Math.floor(minutes / 60) % 24}.${String(Math.floor(minutes) % 60).padStart(2, '0')}`;

/** High water is about fifty minutes later each day; the barometer varies. */
function tideLine(dayOfYear: number, random: () => number): string {
  const first = (140 + dayOfYear * 50.47) % 745;
  const glass = (29.2 + random() * 1.2).toFixed(2);
  return `*High water ${clock(first)} and ${clock(first + 745)}. Glass ${glass}.*`;
}

type Words = Partial<Record<'person' | 'place' | 'day' | 'month', string>>;
const fill = (sentence: string, words: Words): string =>
  sentence.replace(/\{(person|place|day|month)\}/g, (whole, name: keyof Words) => words[name] ?? whole);

function decks(material: Material, random: () => number) {
  const weather = (season: string) => new Deck([...(material.weather[season] ?? []), ...(material.weather['any'] ?? [])], random);
  return {
    openings: new Deck(material.openings, random),
    weather: Object.fromEntries(Object.keys(material.seasons).map((season) => [season, weather(season)])),
    encounters: new Deck(material.encounters, random),
    reflections: new Deck(material.reflections, random),
    closings: new Deck(material.closings, random),
    people: new Deck(material.people, random),
    places: new Deck(material.places, random),
  };
}

const hasPlace = (sentence: string): boolean => sentence.includes('{place}');

/** One evening: its paragraphs in the material's order, on most days with one paragraph more. */
function evening(packs: ReturnType<typeof decks>, season: string, when: Words, random: () => number): string[] {
  const weather = packs.weather[season];
  if (!weather) throw new Error(`the almanac has no weather for ${season}`);
  const met = (wanted?: (sentence: string) => boolean) => {
    const [person, place] = [packs.people.deal(), packs.places.deal()];
    const text = fill(packs.encounters.deal(wanted), { ...when, person: person.name, place: place.name });
    return {
      text,
      about: fill(place.description, { place: place.name }),
      who: fill(person.trait, { person: person.name }),
    };
  };
  const deal = (pack: Deck<string>) => fill(pack.deal(), when);
  const [walked, called] = [met(hasPlace), met()];
  const more = random();
  const extra = met();
  return [
    `${deal(packs.openings)} ${deal(weather)}`,
    `${walked.about} ${walked.text}`,
    deal(packs.reflections),
    `${called.who} ${called.text}`,
    ...(more < 0.5 ? [extra.text] : more < 0.8 ? [`${extra.who} ${extra.text}`] : []),
    `${deal(packs.reflections)} ${deal(packs.closings)}`,
  ];
}

/** A year of evenings in twelve chapters; deterministic for the same material. */
export function writeAlmanac(material: Material): Chapter[] {
  const random = seeded('harrow sound');
  const packs = decks(material, random);
  let dayOfYear = 0;
  return months.map(([month, days, plate]) => {
    const season = Object.keys(material.seasons).find((name) => material.seasons[name]?.includes(month)) ?? '';
    const entries = Array.from({ length: days }, (_, i) => {
      const when = { day: ordinal(i + 1), month };
      const paragraphs = evening(packs, season, when, random);
      return [`## ${i + 1} ${month}`, tideLine(dayOfYear++, random), ...paragraphs].join('\n\n');
    });
    return {
      title: month,
      markdown: [`# ${month}`, `![${month} on Harrow Sound](plate:${plate})`, ...entries].join('\n\n'),
    };
  });
}
