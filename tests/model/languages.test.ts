import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '../../machines/model/store/language-names.ts';

test('the shop speaks English, Chinese, Spanish, French and Italian [S9.languages]', () => {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const spoken = languages.map((language) => names.of(language));
  expect(spoken.slice(0, 5)).toEqual(['English', 'Chinese', 'Spanish', 'French', 'Italian']);
});

const serverFolder = join(import.meta.dirname, '../../server');

/** Calls that `npm run messages` misses: under another name, or with a computed text. */
const findUnreadCalls = (source: string): string[] => source.match(/\w+\.t\((?!\s*')|\b(?!i18n\b)\w+\.t\(/g) ?? [];

test.each([
  ["i18n.t('Hello')", []],
  ["i18n.t(\n  'Hello {name}', { name })", []],
  ['i18n.t(greeting)', ['i18n.t(']],
  ["words.t('Hello')", ['words.t(']],
])('%s', (source, found) => expect(findUnreadCalls(source)).toEqual(found));

test('every text of the server is extractable into the catalogues', () => {
  const files = globSync('**/*.ts', { cwd: serverFolder });
  const found = files.flatMap((file) =>
    findUnreadCalls(readFileSync(join(serverFolder, file), 'utf8')).map((call) => `${file}: ${call}`),
  );
  expect(found).toEqual([]);
});
