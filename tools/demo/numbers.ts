/** The fixed data of a demo title: its permanent number and the composition of its cover. */
export interface CatalogueEntry {
  id: string;
  look: string;
  /** Films and the interactive story have no ISBN. */
  isbn: boolean;
}

const createEntry = (id: number, look: string, isbn = true): CatalogueEntry => ({ id: String(id), look, isbn });

const entries: Record<string, CatalogueEntry> = {
  'keepers-third-log': createEntry(1001, 'halves'),
  'insufficient-postage': createEntry(1002, 'shout'),
  'the-weighing-room': createEntry(1003, 'spineCloth'),
  'la-maison-aux-quatre-fenetres': createEntry(1004, 'poster'),
  'the-wend': createEntry(1005, 'strata'),
  'the-patient-loaf': createEntry(1006, 'papered'),
  'nell-and-the-borrowed-key': createEntry(1007, 'classic'),
  'the-moon-needs-a-lift': createEntry(1008, 'poster'),
  'long-almanac': createEntry(1009, 'arch'),
  'the-umbrella-committee': createEntry(1010, 'shout'),
  'the-ferry-ledger': createEntry(1011, 'spineCloth'),
  'what-the-hedge-knows': createEntry(1012, 'classic'),
  'el-reloj-de-la-plaza': createEntry(1013, 'arch'),
  'l-ultima-corriera': createEntry(1014, 'papered'),
  'the-fish-in-the-fountain': createEntry(1015, 'halves'),
  'under-passing-clouds': createEntry(1016, 'poster'),
  'old-tarrow': createEntry(1017, 'strata'),
  'thread-and-board': createEntry(1018, 'classic'),
  'the-night-signalman': createEntry(1019, 'shout'),
  'four-walks-before-breakfast': createEntry(1020, 'arch'),
  'la-nina-que-guardaba-las-mareas': createEntry(1021, 'halves'),
  'low-water': createEntry(1022, 'poster', false),
  'the-lamp-mender': createEntry(1023, 'classic', false),
  'night-ferry-to-corrow': createEntry(1024, 'strata', false),
};

export function getEntry(slug: string): CatalogueEntry {
  const entry = entries[slug];
  if (!entry) throw new Error(`${slug} has no number: add one in numbers.ts`);
  return entry;
}

/** An invented ISBN-13 under 979-8 with a valid check digit (ISO 2108). */
export function createIsbn13(id: string): string {
  const body = `9798${64_000_000 + Math.floor(Number(id) * 791.9)}`;
  const sum = [...body].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
  return body + String((10 - (sum % 10)) % 10);
}
