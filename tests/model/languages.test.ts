import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '../../machines/model/store/language-names.ts';

test('the first languages of the shop are English, Chinese, Spanish, French and Italian [S9.languages]', () => {
  const displayNames = new Intl.DisplayNames('en', { type: 'language' });
  const languageNames = languages.map((language) => displayNames.of(language));
  expect(languageNames.slice(0, 5)).toEqual(['English', 'Chinese', 'Spanish', 'French', 'Italian']);
});

const serverFolder = join(import.meta.dirname, '../../server');

/** Calls of `t` that `npm run messages` cannot extract: on another object, or of computed text. */
const findUnextractableCalls = (source: string): string[] => source.match(/\w+\.t\((?!\s*')|\b(?!i18n\b)\w+\.t\(/g) ?? [];

test.each([
  ["i18n.t('Hello')", []],
  ["i18n.t(\n  'Hello {name}', { name })", []],
  ['i18n.t(greeting)', ['i18n.t(']],
  ["words.t('Hello')", ['words.t(']],
])('calls that cannot be extracted are found in %s', (source, unextractableCalls) =>
  expect(findUnextractableCalls(source)).toEqual(unextractableCalls),
);

test('every text of the server is extractable into the catalogues', () => {
  const files = globSync('**/*.ts', { cwd: serverFolder });
  const unextractableCalls = files.flatMap((file) =>
    findUnextractableCalls(readFileSync(join(serverFolder, file), 'utf8')).map((call) => `${file}: ${call}`),
  );
  expect(unextractableCalls).toEqual([]);
});
