import { expect, test } from 'vitest';
import { checkMessages, differences } from '../../tools/check/messages.ts';
import { plant } from './support/tree.ts';

const view = `import { Trans } from '@lingui/react/macro'\nexport const Hello = ({ name }: { name: string }) => <Trans id="hello">Hello {name}</Trans>\n`;

function catalogue(translation: string): string {
  return `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n#. js-lingui-explicit-id\nmsgid "hello"\nmsgstr "${translation}"\n`;
}

function tree(ofItalian: string): Promise<string> {
  const files: Record<string, string> = { 'src/ui/hello.tsx': view };
  const others = { en: 'Hello {name}', zh: '{name}，您好', es: 'Hola {name}', fr: 'Bonjour {name}' };
  for (const [locale, words] of Object.entries(others)) files[`src/locales/${locale}.po`] = catalogue(words);
  files['src/locales/it.po'] = ofItalian;
  return plant(files);
}

test('complete catalogues pass', async () => {
  expect(await checkMessages(await tree(catalogue('Ciao {name}')))).toEqual({
    passed: 1,
    failed: 0,
    says: '1 messages in 5 languages',
  });
});

test.each([
  ['a message that no catalogue knows', '', 'it: missing: Hello {name}'],
  ['an empty translation', catalogue(''), 'it: not translated: Hello {name}'],
  ['a translation that is the English', catalogue('Hello {name}'), 'it: still English: Hello {name}'],
  ['a translation that loses its variable', catalogue('Ciao'), 'it: other variables or tags than the source: Hello {name}'],
  [
    'a message that nothing says any more',
    `${catalogue('Ciao {name}')}\n#. js-lingui-explicit-id\nmsgid "bye"\nmsgstr "Addio"\n`,
    'it: no longer used: bye',
  ],
])('%s', async (_, ofItalian, said) => {
  const { failed, says } = await checkMessages(await tree(ofItalian));
  expect(failed).toBe(1);
  expect(says.split('\n')[0]).toBe(said);
});

test('a text that two catalogues translate in two ways', () => {
  const entry = (translation: string) => ({
    hello: { message: 'Hello', translation },
    bye: { message: 'Bye', translation: 'Addio' },
  });
  const said = new Map<string, string>();
  expect(differences('it', entry('Ciao'), said)).toEqual([]);
  expect(differences('es', entry('Hola'), said)).toEqual([]);
  expect(differences('it', entry('Ciao'), said)).toEqual([]);
  expect(differences('it', entry('Salve'), said)).toEqual(['it: translated in two ways: Hello: Ciao, Salve']);
});
