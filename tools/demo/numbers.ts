/** The fixed data of a demo title: its permanent number and the composition of its cover. */
export interface CatalogueEntry {
  id: string;
  look: string;
  /** Films and the interactive story have no ISBN. */
  isbn: boolean;
}

const entry = (id: number, look: string, isbn = true): CatalogueEntry => ({ id: String(id), look, isbn });

const entries: Record<string, CatalogueEntry> = {
  'keepers-third-log': entry(1001, 'halves'),
  'insufficient-postage': entry(1002, 'shout'),
  'the-weighing-room': entry(1003, 'spineCloth'),
  'la-maison-aux-quatre-fenetres': entry(1004, 'poster'),
  'the-wend': entry(1005, 'strata'),
  'the-patient-loaf': entry(1006, 'papered'),
  'nell-and-the-borrowed-key': entry(1007, 'classic'),
  'the-moon-needs-a-lift': entry(1008, 'poster'),
  'long-almanac': entry(1009, 'arch'),
  'the-umbrella-committee': entry(1010, 'shout'),
  'the-ferry-ledger': entry(1011, 'spineCloth'),
  'what-the-hedge-knows': entry(1012, 'classic'),
  'el-reloj-de-la-plaza': entry(1013, 'arch'),
  'l-ultima-corriera': entry(1014, 'papered'),
  'the-fish-in-the-fountain': entry(1015, 'halves'),
  'under-passing-clouds': entry(1016, 'poster'),
  'old-tarrow': entry(1017, 'strata'),
  'thread-and-board': entry(1018, 'classic'),
  'the-night-signalman': entry(1019, 'shout'),
  'four-walks-before-breakfast': entry(1020, 'arch'),
  'la-nina-que-guardaba-las-mareas': entry(1021, 'halves'),
  'low-water': entry(1022, 'poster', false),
  'the-lamp-mender': entry(1023, 'classic', false),
  'night-ferry-to-corrow': entry(1024, 'strata', false),
};

export function entryOf(slug: string): CatalogueEntry {
  const found = entries[slug];
  if (!found) throw new Error(`${slug} has no number: add one in numbers.ts`);
  return found;
}

/** An invented ISBN-13 under 979-8 with a valid check digit (ISO 2108). */
export function isbn13(id: string): string {
  const body = `9798${64_000_000 + Math.floor(Number(id) * 791.9)}`;
  const sum = [...body].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
  return body + String((10 - (sum % 10)) % 10);
}
