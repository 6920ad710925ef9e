import { getCatalogs } from '@lingui/cli/api';
import { getConfig, type CatalogType, type ExtractedCatalogType } from '@lingui/conf';
import { relative } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { bin, run } from '../process/run.ts';
import { sameWords } from './same-words.ts';
import { broken, noComplaints, type Outcome } from './step.ts';

/** The variables and tags of a message: `{name}`, `<0>`; a translation has to carry the same ones. */
function slots(message: string): string {
  const found = message.match(/\{\s*\w+(?=\s*[,}])|<\/?\d+\/?>/g) ?? [];
  return [...new Set(found.map((slot) => slot.replaceAll(/\s/g, '')))].sort().join(' ');
}

/** Whether a text is an ICU message: its braces and plurals are whole. */
function isMessage(text: string): boolean {
  try {
    compileMessageOrThrow(text);
    return true;
  } catch {
    return false;
  }
}

/** Words are left in English: a message of variables alone has none. */
function isEnglish(locale: string, source: string, translation: string): boolean {
  const hasWords = /\p{L}/u.test(source.replaceAll(/\{[^{}]*\}|<\/?\d+\/?>/g, ''));
  return locale !== 'en' && hasWords && translation === source && !sameWords[locale]?.includes(source);
}

/** What a text has that print in its language never has; a rule without a locale holds for all. */
const rules: readonly { locale?: string; broken: RegExp; says: string }[] = [
  { broken: /['"]/, says: 'a straight quote or apostrophe' },
  { broken: /\.{3}/, says: 'three dots for an ellipsis' },
  { locale: 'zh', broken: /[\p{sc=Han}，。：；！？、《》“”（）…] +[\p{sc=Han}{<]|[}>] +\p{sc=Han}/u, says: 'a space in Chinese' },
  { locale: 'zh', broken: /(?<![{\w])credits?\b/i, says: 'credits in Latin letters' },
  { locale: 'fr', broken: /[^\u00A0\u202F][;:!?»]|«[^\u00A0\u202F]/, says: 'punctuation without its no-break space' },
];

/** What is wrong with how a text is set, in words; null when nothing is. */
export const misprint = (locale: string, text: string): string | null =>
  rules.find((rule) => (rule.locale ?? locale) === locale && rule.broken.test(text))?.says ?? null;

function complaintAbout(locale: string, source: string, translation: string | undefined): string | null {
  if (translation === undefined) return `missing: ${source}`;
  if (translation.trim() === '') return `not translated: ${source}`;
  if (!isMessage(translation)) return `not an ICU message: ${translation}`;
  if (slots(translation) !== slots(source)) return `other variables or tags than the source: ${source}`;
  if (isEnglish(locale, source, translation)) return `still English: ${source}`;
  const says = misprint(locale, translation);
  return says === null ? null : `${says}: ${translation}`;
}

/** Every message of the source is translated in the catalogue, and nothing else is. */
function complaints(locale: string, source: ExtractedCatalogType, catalogue: CatalogType): string[] {
  const wanted = Object.entries(source).map(([id, entry]) =>
    complaintAbout(locale, entry.message ?? id, catalogue[id]?.translation),
  );
  const stale = Object.keys(catalogue).filter((id) => source[id] === undefined);
  return [
    ...wanted.filter((complaint) => complaint !== null),
    ...stale.map((id) => `no longer used: ${catalogue[id]?.message ?? id}`),
  ];
}

/** A text that several catalogues have is translated in all of them alike; `said` holds what the earlier ones say. */
export const differences = (locale: string, catalogue: CatalogType, said: Map<string, string>): string[] =>
  Object.entries(catalogue).flatMap(([id, { message = id, translation = '' }]) => {
    const key = `${locale} ${id}`;
    const before = said.get(key) ?? translation;
    said.set(key, before);
    return before === translation ? [] : [`translated in two ways: ${message}: ${before}, ${translation}`];
  });

/** Compares what the source says with the committed catalogues; nothing is written. */
export async function checkMessages(root: string): Promise<Outcome> {
  const config = getConfig({ cwd: root });
  const found: string[] = [];
  let messages = 0;
  const said = new Map<string, string>();
  for (const catalogue of await getCatalogs(config)) {
    const source = await catalogue.collect();
    if (source === undefined) return broken('the messages could not be extracted');
    messages += Object.keys(source).length;
    for (const locale of config.locales) {
      const file = relative(root, catalogue.getFilename(locale));
      const own = (await catalogue.read(locale)) ?? {};
      const wrong = [...complaints(locale, source, own), ...differences(locale, own, said)];
      found.push(...wrong.map((complaint) => `${file}: ${complaint}`));
    }
  }
  const says = `${messages} messages in ${config.locales.length} languages`;
  const outcome = noComplaints(found, says);
  return outcome.failed === 0 ? outcome : broken(`${outcome.says}\n${found.length} faults; npm run messages extracts`);
}

if (import.meta.main) {
  const root = process.cwd();
  const { code, output } = await run(bin(root, 'lingui'), ['extract', '--clean'], { cwd: root });
  console.log(output);
  process.exitCode = code;
}
