import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findRouteName } from '../../machines/flows/routes.ts';
import { pageNameContext } from '../../machines/model/store/page-name-context.ts';
import type { LanguageCode } from '../../machines/model/store/language-names.ts';
import { forEachLanguage, readCatalogue } from '../base/words.ts';

const flows = readdirSync(join(import.meta.dirname, '../../src/flows'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Each flow's catalogue holds the names of its pages, beside the texts of its screens. */
const pageNames = forEachLanguage(
  (language) => new Map(flows.flatMap((flow) => [...readCatalogue(`src/flows/${flow}/words/${language}.po`, pageNameContext)])),
);

/** The name of the page at a path; undefined where only its flow can determine the name. */
export function findPageName(path: string, language: LanguageCode): string | undefined {
  const name = findRouteName(path);
  return name === undefined ? undefined : (pageNames[language].get(name) ?? name);
}
