/** Where a title stands in the demo store: its lasting number and the composition of its cover. */
export interface Place {
  id: string;
  look: string;
  /** Films and the played story carry no ISBN. */
  isbn: boolean;
}

const place = (id: number, look: string, isbn = true): Place => ({ id: String(id), look, isbn });

const places: Record<string, Place> = {
  'keepers-third-log': place(1001, 'halves'),
  'insufficient-postage': place(1002, 'shout'),
  'the-weighing-room': place(1003, 'spineCloth'),
  'la-maison-aux-quatre-fenetres': place(1004, 'poster'),
  'the-wend': place(1005, 'strata'),
  'the-patient-loaf': place(1006, 'papered'),
  'nell-and-the-borrowed-key': place(1007, 'classic'),
  'the-moon-needs-a-lift': place(1008, 'poster'),
  'long-almanac': place(1009, 'arch'),
  'the-umbrella-committee': place(1010, 'shout'),
  'the-ferry-ledger': place(1011, 'spineCloth'),
  'what-the-hedge-knows': place(1012, 'classic'),
  'el-reloj-de-la-plaza': place(1013, 'arch'),
  'l-ultima-corriera': place(1014, 'papered'),
  'the-fish-in-the-fountain': place(1015, 'halves'),
  'under-passing-clouds': place(1016, 'poster'),
  'old-tarrow': place(1017, 'strata'),
  'thread-and-board': place(1018, 'classic'),
  'the-night-signalman': place(1019, 'shout'),
  'four-walks-before-breakfast': place(1020, 'arch'),
  'la-nina-que-guardaba-las-mareas': place(1021, 'halves'),
  'low-water': place(1022, 'poster', false),
  'the-lamp-mender': place(1023, 'classic', false),
  'night-ferry-to-corrow': place(1024, 'strata', false),
};

export function placeOf(slug: string): Place {
  const found = places[slug];
  if (!found) throw new Error(`${slug} has no number yet: give it one in shelf.ts`);
  return found;
}

/** An invented ISBN-13 under 979-8 with a right check digit (ISO 2108). */
export function isbn13(id: string): string {
  const body = `9798${64_000_000 + Math.floor(Number(id) * 791.9)}`;
  const sum = [...body].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
  return body + String((10 - (sum % 10)) % 10);
}
