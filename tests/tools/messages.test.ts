import { expect, test } from 'vitest';
import { languages } from '../../machines/model/store/language-names.ts';
import { checkMessages, findDifferences, findMisprint } from '../../tools/check/messages.ts';
import { findWrongTerm } from '../../tools/check/terms.ts';
import { plantTree } from './support/tree.ts';

const viewSource = `import { Trans } from '@lingui/react/macro'\nexport const Hello = ({ name }: { name: string }) => <Trans id="hello">Hello {name}</Trans>\n`;

function formatCatalogue(translation: string): string {
  return `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n#. js-lingui-explicit-id\nmsgid "hello"\nmsgstr "${translation}"\n`;
}

const greetings: Record<string, string> = { en: 'Hello {name}', zh: '{name}，您好' };

function plantCatalogues(italianCatalogue: string): Promise<string> {
  const files: Record<string, string> = { 'src/ui/hello.tsx': viewSource };
  for (const language of languages)
    files[`src/locales/${language}.po`] = formatCatalogue(greetings[language] ?? `Salut {name} ${language}`);
  files['src/locales/it.po'] = italianCatalogue;
  return plantTree(files);
}

test('complete catalogues pass', async () => {
  expect(await checkMessages(await plantCatalogues(formatCatalogue('Ciao {name}')))).toEqual({
    passed: 1,
    failed: 0,
    summary: `1 messages in ${languages.length} languages`,
  });
});

test.each([
  ['a message missing in the Italian catalogue', '', 'src/locales/it.po: missing: Hello {name}'],
  ['an empty translation', formatCatalogue(''), 'src/locales/it.po: not translated: Hello {name}'],
  [
    'a translation identical to the English text',
    formatCatalogue('Hello {name}'),
    'src/locales/it.po: still English: Hello {name}',
  ],
  [
    'a translation that loses its variable',
    formatCatalogue('Ciao'),
    'src/locales/it.po: other variables or tags than the source: Hello {name}',
  ],
  ['a translation with an open brace', formatCatalogue('Ciao {name'), 'src/locales/it.po: not an ICU message: Ciao {name'],
  [
    'an unused message',
    `${formatCatalogue('Ciao {name}')}\n#. js-lingui-explicit-id\nmsgid "bye"\nmsgstr "Addio"\n`,
    'src/locales/it.po: no longer used: bye',
  ],
])('a fault of a catalogue is reported: %s', async (_, italianCatalogue, expectedLine) => {
  const { failed, summary } = await checkMessages(await plantCatalogues(italianCatalogue));
  expect(failed).toBe(1);
  expect(summary.split('\n')[0]).toBe(expectedLine);
});

test('a translation with wrong typography is reported', async () => {
  const { failed, summary } = await checkMessages(await plantCatalogues(formatCatalogue('C’è {name}...')));
  expect(failed).toBe(1);
  expect(summary.split('\n')[0]).toBe('src/locales/it.po: three dots for an ellipsis: C’è {name}...');
});

test.each([
  ['en', "Don't", 'a straight quote or apostrophe'],
  ['es', 'Vuelve a "Mi biblioteca"', 'a straight quote or apostrophe'],
  ['it', 'Un attimo...', 'three dots for an ellipsis'],
  ['zh', '我的 书库', 'a space in Chinese'],
  ['zh', '《书》， 没有', 'a space in Chinese'],
  ['zh', '返回 {page}', 'a space in Chinese'],
  ['zh', '{name} 著', 'a space in Chinese'],
  ['zh', '本店接受Credits', 'credits in the Latin script'],
  ['zh', '正在加载…', 'half an ellipsis'],
  ['it', 'Elimina “{name}”', 'quotation marks of another language'],
  ['fr', 'Merci\u00A0!', 'a wide no-break space beside punctuation'],
  ['fr', 'Merci !', 'punctuation without its no-break space'],
  ['fr', 'Prix: {price}', 'punctuation without its no-break space'],
  ['fr', '«\u202FLecture »', 'punctuation without its no-break space'],
  ['fr', '« Lecture\u202F»', 'punctuation without its no-break space'],
])('%s: “%s” has wrong typography', (locale, text, expectedFault) => expect(findMisprint(locale, text)).toBe(expectedFault));

test.each([
  ['en', 'It’s here: “{name}”…'],
  ['es', '¡Gracias!'],
  ['zh', '第{page}页，共{pages}页 · {percent}'],
  ['zh', '每次续订可获得{amount} {currency}。'],
  ['fr', 'Un prix\u202F: «\u202F{name}\u202F»\u202F!'],
  ['zh', '正在加载……'],
  ['fr', '{total, plural, one {# titre} other {# titres}}'],
])('%s: “%s” has correct typography', (locale, text) => expect(findMisprint(locale, text)).toBeNull());

test('a translation that uses another term than the shop is reported', async () => {
  const { failed, summary } = await checkMessages(await plantCatalogues(formatCatalogue('La campagna di {name}')));
  expect(failed).toBe(1);
  expect(summary.split('\n')[0]).toBe(
    'src/locales/it.po: "campagna" for campaign, where the shop says "promozione": La campagna di {name}',
  );
});

test.each([
  ['en', 'Retry', 'Try again'],
  ['en', 'This campaign is over', 'offer'],
  ['es', 'Conectar {name}', 'vincular'],
  ['es', 'Vuelve a intentarlo.', 'Inténtalo de nuevo'],
  ['fr', 'Vous êtes déjà abonné.', 'abonnement'],
  ['fr', 'Envoyer un mail', 'e-mail'],
  ['it', 'Tasse incluse', 'imposte'],
  ['zh', '载入失败', '加载'],
  ['zh', '手机号登录', '手机号码'],
])('%s: “%s” has a word for which the shop says “%s”', (locale, text, expectedTerm) =>
  expect(findWrongTerm(locale, text)).toContain(`where the shop says "${expectedTerm}"`),
);

test.each([
  ['en', 'Included in {plan}'],
  ['en', 'The explanation of a storey'],
  ['es', 'Conecta altavoces o auriculares.'],
  ['fr', 'Envoyer par e-mail, dans l’application'],
  ['it', 'Comprende # titoli nel tuo Paese'],
  ['zh', '手机号码'],
  ['de', 'Kampagne'],
])('%s: “%s” uses the terms of the shop', (locale, text) => expect(findWrongTerm(locale, text)).toBeNull());

test('a text of the server that is missing in its catalogue is reported', async () => {
  const words = "export const thanks = (i18n: { t: (text: string) => string }): string => i18n.t('Thank you');\n";
  const { failed, summary } = await checkMessages(await plantTree({ 'server/words.ts': words }));
  expect(failed).toBe(1);
  expect(summary).toContain('server/words/fr.po: missing: Thank you\n');
});

test('the name of a page that is missing in its flow’s catalogue is reported', async () => {
  const flow = "export const gift = { routes: [{ pattern: '/gift', name: 'A gift' }] };\n";
  const { summary } = await checkMessages(await plantTree({ 'machines/flows/gift.ts': flow, 'src/flows/gift/index.ts': '' }));
  expect(summary).toContain('src/flows/gift/words/fr.po: missing: A gift\n');
});

test('a text with two translations in one language is reported', () => {
  const createEntries = (translation: string) => ({
    hello: { message: 'Hello', translation },
    bye: { message: 'Bye', translation: 'Addio' },
  });
  const seenTranslations = new Map<string, string>();
  expect(findDifferences('it', createEntries('Ciao'), seenTranslations)).toEqual([]);
  expect(findDifferences('es', createEntries('Hola'), seenTranslations)).toEqual([]);
  expect(findDifferences('it', createEntries('Ciao'), seenTranslations)).toEqual([]);
  expect(findDifferences('it', createEntries('Salve'), seenTranslations)).toEqual(['translated in two ways: Hello: Ciao, Salve']);
});
