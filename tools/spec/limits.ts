import type { SpecRow } from './row.ts';

/** Sections 8 and 9: errors, constants and limits. */
export const limitRows: SpecRow[] = [
  { id: 'S8.xml-401', text: 'an XML Error with StatusCode 401 is unauthorized', source: 'src/client/wire/refusal.ts' },
  {
    id: 'S8.xml-invalid',
    text: 'an XML Error with Status Invalid is an invalid storefront',
    source: 'src/client/wire/refusal.ts',
  },
  { id: 'S8.xml-error', text: 'another XML Error is a failure', source: 'src/client/wire/refusal.ts' },
  {
    id: 'S8.http-error',
    text: 'a JSON answer of another status is ‘HTTP Error: {status}’',
    source: 'src/client/wire/xml-response.ts',
  },
  { id: 'S8.json-error', text: 'a JSON answer with an error is ‘JSON Error: {error}’', source: 'src/client/wire/json.ts' },
  { id: 'S8.progress', text: 'a progress call that fails is swallowed' },
  { id: 'S8.plan', text: 'a plan that cannot be looked up is empty' },
  { id: 'S8.properties', text: 'a failure of the store’s properties resets the favicon', source: 'src/shell/ports/store.ts' },
  {
    id: 'S8.properties-logged',
    text: 'a failure of the store’s properties is logged',
    source: 'src/client/wire/report-failure.ts',
  },
  { id: 'S8.categories', text: 'categories that fail are an empty list', source: 'src/client/catalogue/categories.ts' },
  { id: 'S8.loading-failed', text: 'a screen that does not load says so', machine: 'app' },
  { id: 'S8.not-found', text: 'a missing address has a page that says so' },
  { id: 'S9.slug', text: 'a title’s name in an address: dashes, at most 60 characters', source: 'machines/model/paths.ts' },
  {
    id: 'S9.price',
    text: 'a price has the decimals of its currency (ISO 4217): two, of some none or three; and 0 is Free',
    source: 'src/brand/format.ts',
  },
  { id: 'S9.credits', text: 'credits are labelled Credit or Credits', source: 'src/views/lazy/credits-text.ts' },
  {
    id: 'S9.display-texts',
    text: 'the words of the lists where the store has none of its own',
    source: 'machines/model/store/store.ts',
  },
  { id: 'S9.on', text: 'flags that are on by default', source: 'machines/model/store/store.ts' },
  { id: 'S9.off', text: 'flags that are off by default', source: 'machines/model/store/store.ts' },
  {
    id: 'S9.credits-per-renewal',
    text: 'CreditsPerRenewal is 0 unless the store says otherwise',
    source: 'machines/model/store/store.ts',
  },
  { id: 'S9.site-name', text: 'a store without a name has the product’s', source: 'machines/model/store/store.ts' },
  {
    id: 'S9.links',
    text: 'without a store’s own, Help leads to `helpUrl` or /about, and app links to `appStoreUrls` or a search in both app stores',
    source: 'src/client/store.ts',
  },
  {
    id: 'S9.list-codes',
    text: 'lists are asked for by number: ebook 1, audio 2, video 4',
    source: 'src/client/catalogue/titles.ts',
  },
  { id: 'S9.theme-sets', text: '7 colour themes of bars, 3 of layout', source: 'machines/model/store/appearance.ts' },
  { id: 'S9.languages', text: 'English, Chinese, Spanish, French and Italian; English first', machine: 'language' },
  { id: 'S9.session-kept', text: 'a session’s token is kept until sign-out', machine: 'session' },
  { id: 'S9.layout-not-kept', text: 'the layout is not kept', source: 'src/storage/storage-keys.ts' },
  { id: 'S9.time', text: 'times are mm:ss or hh:mm:ss', source: 'src/brand/facts.ts' },
  { id: 'S9.configuration', text: 'the page’s configuration names the API and the store', source: 'src/client/wire/config.ts' },
  {
    id: 'S9.configuration-keys',
    text: 'it holds the payment mode, a payment key and a maps key too',
    source: 'src/client/wire/config.ts',
  },
];
