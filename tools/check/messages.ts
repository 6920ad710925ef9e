import { getCatalogs } from '@lingui/cli/api';
import { getConfig, type CatalogType, type ExtractedCatalogType } from '@lingui/conf';
import { relative } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { bin, run } from '../process/run.ts';
import { sameWords } from './same-words.ts';
import { fail, passUnlessComplaints, type Outcome } from './step.ts';
import { findWrongTerm } from './terms.ts';

/** The variables and tags of a message: `{name}`, `<0>`; a translation must have the same ones. */
function getPlaceholders(message: string): string {
  const slots = message.match(/\{\s*\w+(?=\s*[,}])|<\/?\d+\/?>/g) ?? [];
  return [...new Set(slots.map((slot) => slot.replaceAll(/\s/g, '')))].sort().join(' ');
}

/** Whether a text is a valid ICU message: its braces and plurals are complete. */
function isMessage(text: string): boolean {
  try {
    compileMessageOrThrow(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a translation is still the English text. A message of variables alone has no words to
 * translate.
 */
function isUntranslated(locale: string, source: string, translation: string): boolean {
  const hasWords = /\p{L}/u.test(source.replaceAll(/\{[^{}]*\}|<\/?\d+\/?>/g, ''));
  return locale !== 'en' && hasWords && translation === source && !sameWords[locale]?.includes(source);
}

/** Typographic faults by language; a rule without a locale applies to all. */
const misprintRules: readonly { locale?: string; pattern: RegExp; fault: string }[] = [
  { pattern: /['"]/, fault: 'a straight quote or apostrophe' },
  { pattern: /\.{3}/, fault: 'three dots for an ellipsis' },
  {
    locale: 'zh',
    pattern: /[\p{sc=Han}，。：；！？、《》“”（）…] +[\p{sc=Han}{<]|[}>] +\p{sc=Han}/u,
    fault: 'a space in Chinese',
  },
  { locale: 'zh', pattern: /(?<![{\w])credits?\b/i, fault: 'credits in the Latin script' },
  { locale: 'zh', pattern: /(?<!…)…(?!…)/, fault: 'half an ellipsis' },
  { locale: 'es', pattern: /[“”]/, fault: 'quotation marks of another language' },
  { locale: 'it', pattern: /[“”]/, fault: 'quotation marks of another language' },
  { locale: 'fr', pattern: /[^\u00A0\u202F][;:!?»]|«[^\u00A0\u202F]/, fault: 'punctuation without its no-break space' },
  { locale: 'fr', pattern: /\u00A0[;:!?»]|«\u00A0/, fault: 'a wide no-break space beside punctuation' },
];

/** The typographic fault of a text; null if it has none. */
export const findMisprint = (locale: string, text: string): string | null =>
  misprintRules.find((rule) => (rule.locale ?? locale) === locale && rule.pattern.test(text))?.fault ?? null;

function findComplaint(locale: string, source: string, translation: string | undefined): string | null {
  if (translation === undefined) return `missing: ${source}`;
  if (translation.trim() === '') return `not translated: ${source}`;
  if (!isMessage(translation)) return `not an ICU message: ${translation}`;
  if (getPlaceholders(translation) !== getPlaceholders(source)) return `other variables or tags than the source: ${source}`;
  if (isUntranslated(locale, source, translation)) return `still English: ${source}`;
  const fault = findMisprint(locale, translation) ?? findWrongTerm(locale, translation);
  return fault === null ? null : `${fault}: ${translation}`;
}

/** Checks that the catalogue translates every message of the source, and no others. */
function findComplaints(locale: string, source: ExtractedCatalogType, catalogue: CatalogType): string[] {
  const complaints = Object.entries(source).map(([id, entry]) =>
    findComplaint(locale, entry.message ?? id, catalogue[id]?.translation),
  );
  const staleIds = Object.keys(catalogue).filter((id) => source[id] === undefined);
  return [
    ...complaints.filter((complaint) => complaint !== null),
    ...staleIds.map((id) => `no longer used: ${catalogue[id]?.message ?? id}`),
  ];
}

/**
 * Reports texts that catalogues translate differently; `translations` collects those of earlier
 * catalogues.
 */
export const findDifferences = (locale: string, catalogue: CatalogType, translations: Map<string, string>): string[] =>
  Object.entries(catalogue).flatMap(([id, { message = id, translation = '' }]) => {
    const key = `${locale} ${id}`;
    const earlierTranslation = translations.get(key) ?? translation;
    translations.set(key, earlierTranslation);
    return earlierTranslation === translation
      ? []
      : [`translated in two ways: ${message}: ${earlierTranslation}, ${translation}`];
  });

/** Compares the messages of the source with the committed catalogues; writes nothing. */
export async function checkMessages(root: string): Promise<Outcome> {
  const config = getConfig({ cwd: root });
  const complaints: string[] = [];
  let messageCount = 0;
  const translations = new Map<string, string>();
  for (const catalogue of await getCatalogs(config)) {
    const source = await catalogue.collect();
    if (source === undefined) return fail(`the messages of ${catalogue.path} could not be extracted`);
    messageCount += Object.keys(source).length;
    for (const locale of config.locales) {
      const file = relative(root, catalogue.getFilename(locale));
      const translatedCatalogue = (await catalogue.read(locale)) ?? {};
      const faults = [
        ...findComplaints(locale, source, translatedCatalogue),
        ...findDifferences(locale, translatedCatalogue, translations),
      ];
      complaints.push(...faults.map((complaint) => `${file}: ${complaint}`));
    }
  }
  const summary = `${messageCount} messages in ${config.locales.length} languages`;
  const outcome = passUnlessComplaints(complaints, summary);
  return outcome.failed === 0 ? outcome : fail(`${outcome.summary}\n${complaints.length} faults; npm run messages extracts`);
}

if (import.meta.main) {
  const root = process.cwd();
  const { code, output } = await run(bin(root, 'lingui'), ['extract', '--clean'], { cwd: root });
  console.log(output);
  process.exitCode = code;
}
