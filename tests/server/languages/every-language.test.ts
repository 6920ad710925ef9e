import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../../machines/model/store/language-names.ts';
import { readCatalogue } from '../../../server/base/words.ts';
import { sendQueuedEmails } from '../../../server/jobs/send-queued-emails.ts';
import { enqueueEmail } from '../../../server/mail/queue.ts';
import type { Mail } from '../../../server/mail/transport.ts';
import { createCustomer } from '../support/customers.ts';
import { openPages } from '../support/pages.ts';

const HOST = 'spoken.example';

/** Source of a page renderer whose pages have no texts. */
const pageRenderer = `
  const page = { html: '<p></p>', preloads: [], styles: [], answers: [], changesAt: [], firstTitle: null, next: null };
  export const render = async () => page;
`;

let pages: Awaited<ReturnType<typeof openPages>>;
let store: string;
beforeAll(async () => {
  pages = await openPages({ ssr: 'always' }, pageRenderer);
  store = await pages.shop.store({ host: HOST, properties: { TermsOfService: '<p>Be kind.</p>' } });
});
afterAll(() => pages.close());

describe.each(languages.map((language) => ({ language })))('$language', ({ language }) => {
  const readTranslation = (path: string, text: string): string => {
    const translation = readCatalogue(path).get(text) ?? '';
    expect(translation !== '' && (language === 'en' || translation !== text)).toBe(true);
    return translation;
  };
  const translate = (text: string): string => readTranslation(`server/words/${language}.po`, text);

  test('a page is in the language that the browser prefers', async () => {
    const headers = { host: HOST, accept: 'text/html', 'accept-language': language };
    const { body } = await pages.shop.app.inject({ url: '/all', headers });
    expect(body).toContain(`<html lang="${language}"`);
    expect(body).toContain(`<nav aria-label="${translate('Language')}">`);
  });

  test('the title of a page is in the language of its address', async () => {
    const name = readTranslation(`src/flows/information/words/${language}.po`, 'Terms');
    const { lang, title } = await pages.fetchHead(HOST, `/terms?lang=${language}`);
    expect(lang).toBe(language);
    expect(title).toMatch(new RegExp(`^${name} · `));
  });

  test('an e-mail is in the language of its customer', async () => {
    const { shop } = pages;
    const { email } = await createCustomer(shop, store);
    await enqueueEmail(shop.db, { storeId: store, kind: 'password-changed', email, language, origin: `https://${HOST}` });
    const emails: Mail[] = [];
    const mail = { send: async (sentEmail: Mail) => void emails.push(sentEmail), close: async () => {} };
    await sendQueuedEmails({ ...shop.services, mail });
    const [message] = emails.filter(({ to }) => to === email);
    expect(message?.html).toContain(`<html lang="${language}">`);
    expect(message?.html).toContain(`>${translate('It wasn’t me')}</a>`);
  });
});
