import { createSeededRandom } from '../art/seeded.ts';
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

function formatOrdinal(day: number): string {
  if (day < 20) return units[day] ?? '';
  const [round, prefix] = day < 30 ? ['twentieth', 'twenty'] : ['thirtieth', 'thirty'];
  return day % 10 === 0 ? round : `${prefix}-${units[day % 10]}`;
}

const formatTime = (minutes: number): string =>
  `${Math.floor(minutes / 60) % 24}.${String(Math.floor(minutes) % 60).padStart(2, '0')}`;

/** A line with high water, about fifty minutes later each day, and a random barometer reading. */
function formatTideLine(dayOfYear: number, random: () => number): string {
  const firstHighWater = (140 + dayOfYear * 50.47) % 745;
  const barometer = (29.2 + random() * 1.2).toFixed(2);
  return `*High water ${formatTime(firstHighWater)} and ${formatTime(firstHighWater + 745)}. Glass ${barometer}.*`;
}

type Words = Partial<Record<'person' | 'place' | 'day' | 'month', string>>;
const fill = (sentence: string, words: Words): string =>
  sentence.replace(/\{(person|place|day|month)\}/g, (placeholder, name: keyof Words) => words[name] ?? placeholder);

function createDecks(material: Material, random: () => number) {
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

/** The paragraphs of one evening in the material's order, on most days with an extra paragraph. */
function writeEvening(decks: ReturnType<typeof createDecks>, season: string, date: Words, random: () => number): string[] {
  const weather = decks.weather[season];
  if (!weather)
    throw new Error(`the almanac has no weather for ${season}: expected one of ${Object.keys(decks.weather).join(', ')}`);
  const dealEncounter = (isAccepted?: (sentence: string) => boolean) => {
    const [person, place] = [decks.people.deal(), decks.places.deal()];
    const text = fill(decks.encounters.deal(isAccepted), { ...date, person: person.name, place: place.name });
    return {
      text,
      placeText: fill(place.description, { place: place.name }),
      traitText: fill(person.trait, { person: person.name }),
    };
  };
  const deal = (deck: Deck<string>) => fill(deck.deal(), date);
  const [walk, visit] = [dealEncounter(hasPlace), dealEncounter()];
  const chance = random();
  const extra = dealEncounter();
  return [
    `${deal(decks.openings)} ${deal(weather)}`,
    `${walk.placeText} ${walk.text}`,
    deal(decks.reflections),
    `${visit.traitText} ${visit.text}`,
    ...(chance < 0.5 ? [extra.text] : chance < 0.8 ? [`${extra.traitText} ${extra.text}`] : []),
    `${deal(decks.reflections)} ${deal(decks.closings)}`,
  ];
}

/** A year of evenings in twelve chapters; deterministic for the same material. */
export function writeAlmanac(material: Material): Chapter[] {
  const random = createSeededRandom('harrow sound');
  const decks = createDecks(material, random);
  let dayOfYear = 0;
  return months.map(([month, days, plate]) => {
    const season = Object.keys(material.seasons).find((name) => material.seasons[name]?.includes(month)) ?? '';
    const entries = Array.from({ length: days }, (_, i) => {
      const date = { day: formatOrdinal(i + 1), month };
      const paragraphs = writeEvening(decks, season, date, random);
      return [`## ${i + 1} ${month}`, formatTideLine(dayOfYear++, random), ...paragraphs].join('\n\n');
    });
    return {
      title: month,
      markdown: [`# ${month}`, `![${month} on Harrow Sound](plate:${plate})`, ...entries].join('\n\n'),
    };
  });
}
