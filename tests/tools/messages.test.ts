import { expect, test } from 'vitest';
import { english, chinese } from '../../server/gateway/words.ts';
import { french, italian, spanish } from '../../server/gateway/words-es-fr-it.ts';
import { languages } from '../../server/web/head/words.ts';
import { flows } from '../../src/flows/registry.ts';
import { checkMessages, differences, misprint } from '../../tools/check/messages.ts';
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

test('a translation that is set badly', async () => {
  const { failed, says } = await checkMessages(await tree(catalogue('C’è {name}...')));
  expect(failed).toBe(1);
  expect(says.split('\n')[0]).toBe('it: three dots for an ellipsis: C’è {name}...');
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

const gateway = { en: english, zh: chinese, es: spanish, fr: french, it: italian };
const pages = flows.flatMap(({ routes }) => routes.flatMap(({ pattern, name }) => (name ? [{ pattern, name }] : [])));
const outside = languages.flatMap(({ code, words }) =>
  [...Object.entries({ ...gateway[code], ...words }), ...pages.map(({ pattern, name }) => [pattern, name[code]] as const)].map(
    ([what, text]) => ({ code, what, text }),
  ),
);

test.each(outside)('outside the catalogues, $code $what is set well', ({ code, text }) =>
  expect(misprint(code, text)).toBeNull(),
);

test.each(['zh', 'es', 'fr', 'it'] as const)('the payment page leaves no sentence in English: %s', (locale) => {
  const sentences = Object.values(english).filter((text) => text.split(' ').length > 2);
  expect(sentences.filter((text) => Object.values(gateway[locale]).includes(text))).toEqual([]);
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
