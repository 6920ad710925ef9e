import { expect, test } from 'vitest';
import { languages } from '../../machines/model/store/language-names.ts';
import { checkMessages, differences, misprint } from '../../tools/check/messages.ts';
import { plant } from './support/tree.ts';

const view = `import { Trans } from '@lingui/react/macro'\nexport const Hello = ({ name }: { name: string }) => <Trans id="hello">Hello {name}</Trans>\n`;

function catalogue(translation: string): string {
  return `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n#. js-lingui-explicit-id\nmsgid "hello"\nmsgstr "${translation}"\n`;
}

const greetings: Record<string, string> = { en: 'Hello {name}', zh: '{name}，您好' };

function tree(ofItalian: string): Promise<string> {
  const files: Record<string, string> = { 'src/ui/hello.tsx': view };
  for (const language of languages)
    files[`src/locales/${language}.po`] = catalogue(greetings[language] ?? `Salut {name} ${language}`);
  files['src/locales/it.po'] = ofItalian;
  return plant(files);
}

test('complete catalogues pass', async () => {
  expect(await checkMessages(await tree(catalogue('Ciao {name}')))).toEqual({
    passed: 1,
    failed: 0,
    says: `1 messages in ${languages.length} languages`,
  });
});

test.each([
  ['a message that no catalogue knows', '', 'src/locales/it.po: missing: Hello {name}'],
  ['an empty translation', catalogue(''), 'src/locales/it.po: not translated: Hello {name}'],
  ['a translation that is the English', catalogue('Hello {name}'), 'src/locales/it.po: still English: Hello {name}'],
  [
    'a translation that loses its variable',
    catalogue('Ciao'),
    'src/locales/it.po: other variables or tags than the source: Hello {name}',
  ],
  ['a translation with an open brace', catalogue('Ciao {name'), 'src/locales/it.po: not an ICU message: Ciao {name'],
  [
    'a message that nothing says any more',
    `${catalogue('Ciao {name}')}\n#. js-lingui-explicit-id\nmsgid "bye"\nmsgstr "Addio"\n`,
    'src/locales/it.po: no longer used: bye',
  ],
])('%s', async (_, ofItalian, said) => {
  const { failed, says } = await checkMessages(await tree(ofItalian));
  expect(failed).toBe(1);
  expect(says.split('\n')[0]).toBe(said);
});

test('a translation that is set badly', async () => {
  const { failed, says } = await checkMessages(await tree(catalogue('C’è {name}...')));
  expect(failed).toBe(1);
  expect(says.split('\n')[0]).toBe('src/locales/it.po: three dots for an ellipsis: C’è {name}...');
});

test.each([
  ['en', "Don't", 'a straight quote or apostrophe'],
  ['es', 'Vuelve a "Mi biblioteca"', 'a straight quote or apostrophe'],
  ['it', 'Un attimo...', 'three dots for an ellipsis'],
  ['zh', '我的 书库', 'a space in Chinese'],
  ['zh', '《书》， 没有', 'a space in Chinese'],
  ['zh', '返回 {page}', 'a space in Chinese'],
  ['zh', '{name} 著', 'a space in Chinese'],
  ['zh', '本店接受Credits', 'credits in Latin letters'],
  ['fr', 'Merci !', 'punctuation without its no-break space'],
  ['fr', 'Prix: {price}', 'punctuation without its no-break space'],
  ['fr', '«\u202FLancer »', 'punctuation without its no-break space'],
  ['fr', '« Lancer\u202F»', 'punctuation without its no-break space'],
])('%s: “%s” is set badly', (locale, text, says) => expect(misprint(locale, text)).toBe(says));

test.each([
  ['en', 'It’s here: “{name}”…'],
  ['es', '¡Gracias!'],
  ['zh', '第{page}页，共{pages}页 · {percent}'],
  ['zh', '每次续订可获得{amount} {currency}。'],
  ['fr', 'Un prix\u202F: «\u202F{name}\u202F»\u00A0!'],
  ['fr', '{total, plural, one {# titre} other {# titres}}'],
])('%s: “%s” is set well', (locale, text) => expect(misprint(locale, text)).toBeNull());

test('a text of the server that its catalogue lacks', async () => {
  const words = "export const thanks = (i18n: { t: (text: string) => string }): string => i18n.t('Thank you');\n";
  const { failed, says } = await checkMessages(await plant({ 'server/words.ts': words }));
  expect(failed).toBe(1);
  expect(says).toContain('server/words/fr.po: missing: Thank you\n');
});

test('the name of a page that the catalogue of its flow lacks', async () => {
  const flow = "export const gift = { routes: [{ pattern: '/gift', name: 'A gift' }] };\n";
  const { says } = await checkMessages(await plant({ 'machines/flows/gift.ts': flow, 'src/flows/gift/index.ts': '' }));
  expect(says).toContain('src/flows/gift/words/fr.po: missing: A gift\n');
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
  expect(differences('it', entry('Salve'), said)).toEqual(['translated in two ways: Hello: Ciao, Salve']);
});
