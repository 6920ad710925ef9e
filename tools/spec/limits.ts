import type { SpecRow } from './row.ts';

/** Sections 8 and 9: errors, constants and limits. */
export const limitRows: SpecRow[] = [
  { id: 'S8.xml-401', says: 'an XML Error with StatusCode 401 is unauthorized', place: 'src/client/wire/refusal.ts' },
  {
    id: 'S8.xml-invalid',
    says: 'an XML Error with Status Invalid is an invalid storefront',
    place: 'src/client/wire/refusal.ts',
  },
  { id: 'S8.xml-error', says: 'another XML Error is a failure', place: 'src/client/wire/refusal.ts' },
  {
    id: 'S8.http-error',
    says: 'a JSON answer of another status is ‘HTTP Error: {status}’',
    place: 'src/client/wire/xml-response.ts',
  },
  { id: 'S8.json-error', says: 'a JSON answer with an error is ‘JSON Error: {error}’', place: 'src/client/wire/json.ts' },
  { id: 'S8.progress', says: 'a progress call that fails is swallowed' },
  { id: 'S8.plan', says: 'a plan that cannot be looked up is empty' },
  { id: 'S8.properties', says: 'a failure of the store’s properties resets the favicon', place: 'src/shell/ports/store.ts' },
  {
    id: 'S8.properties-logged',
    says: 'a failure of the store’s properties is logged',
    place: 'src/client/wire/report-failure.ts',
  },
  { id: 'S8.categories', says: 'categories that fail are an empty list', place: 'src/client/catalogue/categories.ts' },
  { id: 'S8.loading-failed', says: 'a screen that does not load says so', of: 'app' },
  { id: 'S8.not-found', says: 'a missing address has a page that says so' },
  { id: 'S9.slug', says: 'a title’s name in an address: dashes, at most 60 characters', place: 'machines/model/paths.ts' },
  {
    id: 'S9.price',
    says: 'a price has the decimals of its currency (ISO 4217): two, of some none or three; and 0 is Free',
    place: 'src/brand/format.ts',
  },
  { id: 'S9.credits', says: 'credits are labelled Credit or Credits', place: 'src/views/lazy/credits-text.ts' },
  {
    id: 'S9.display-texts',
    says: 'the words of the lists where the store has none of its own',
    place: 'machines/model/store/store.ts',
  },
  { id: 'S9.on', says: 'flags that are on by default', place: 'machines/model/store/store.ts' },
  { id: 'S9.off', says: 'flags that are off by default', place: 'machines/model/store/store.ts' },
  {
    id: 'S9.credits-per-renewal',
    says: 'CreditsPerRenewal is 0 unless the store says otherwise',
    place: 'machines/model/store/store.ts',
  },
  { id: 'S9.site-name', says: 'a store without a name has the product’s', place: 'machines/model/store/store.ts' },
  {
    id: 'S9.links',
    says: 'without a store’s own, Help leads to `helpUrl` or /about, and app links to `appStoreUrls` or a search in both app stores',
    place: 'src/client/store.ts',
  },
  {
    id: 'S9.list-codes',
    says: 'lists are asked for by number: ebook 1, audio 2, video 4',
    place: 'src/client/catalogue/titles.ts',
  },
  { id: 'S9.theme-sets', says: '7 colour themes of bars, 3 of layout', place: 'machines/model/store/appearance.ts' },
  { id: 'S9.languages', says: 'English, Chinese, Spanish, French and Italian; English first', of: 'language' },
  { id: 'S9.session-kept', says: 'a session’s token is kept until sign-out', of: 'session' },
  { id: 'S9.layout-not-kept', says: 'the layout is not kept', place: 'src/storage/storage-keys.ts' },
  { id: 'S9.time', says: 'times are mm:ss or hh:mm:ss', place: 'src/brand/facts.ts' },
  { id: 'S9.configuration', says: 'the page’s configuration names the API and the store', place: 'src/client/wire/config.ts' },
  {
    id: 'S9.configuration-keys',
    says: 'it holds the payment mode, a payment key and a maps key too',
    place: 'src/client/wire/config.ts',
  },
];
