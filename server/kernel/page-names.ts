import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nameAt } from '../../machines/flows/routes.ts';
import { pageNameContext } from '../../machines/model/store/page-name-context.ts';
import type { LanguageCode } from '../../machines/model/store/language-names.ts';
import { forEachLanguage, readCatalogue } from '../base/words.ts';

const flows = readdirSync(join(import.meta.dirname, '../../src/flows'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Each flow's catalogue holds the names of its pages, beside the words of its screens. */
const names = forEachLanguage(
  (language) => new Map(flows.flatMap((flow) => [...readCatalogue(`src/flows/${flow}/words/${language}.po`, pageNameContext)])),
);

/** The name of the page at an address; undefined where its flow alone can know. */
export function pageNameAt(address: string, language: LanguageCode): string | undefined {
  const name = nameAt(address);
  return name === undefined ? undefined : (names[language].get(name) ?? name);
}
