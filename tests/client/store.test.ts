import { describe, expect, test } from 'vitest';
import { parse } from 'valibot';
import { StoreProperties } from '../../machines/model/store/store.ts';
import { fetchStoreProperties } from '../../src/client/store.ts';
import { config, json, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

const propertiesResponse = (innerXml: string) => xml(`<StoreProperties><ShelfId>demo</ShelfId>${innerXml}</StoreProperties>`);
const readProperties = (innerXml: string) => fetchStoreProperties(createFakeServer([propertiesResponse(innerXml)]).api);

/** The defaults of section 9, written out: a comparison with the model's would prove nothing. */
const specifiedDefaults = {
  shelfName: 'Colophon',
  shelfLogo: '',
  shelfColor: '',
  favIcon: '',
  appStoreUrls: null,
  enableSubscription: true,
  enableEbook: true,
  enableAudioTitle: false,
  enableVideoTitle: false,
  ebooksDisplayText: 'eBooks',
  audioTitlesDisplayText: 'Audio Books',
  videoTitlesDisplayText: 'Video Books',
  titlesDisplayText: 'Titles',
  myCatalogDisplayText: 'My Catalog',
  about: '',
  termsOfService: '',
  termsOfServiceUrl: '',
  privacyPolicy: '',
  privacyPolicyUrl: '',
  supportEmail: '',
  actionAfterPurchaseConfirmation: '',
  actionAfterPurchaseConfirmationLinkText: '',
  cookieConsentUrl: '',
  showCookieConsent: false,
  enableWebSubscriptionRedeem: true,
  enableWebTitleRedeem: true,
  subscriptionMessageHtml: '',
  showBuyTitle: true,
  enableWebReader: true,
  faq: '',
  enableTax: false,
  showTitlePrice: true,
  customCode: '',
  showPapertrellBrand: true,
  allTitlesSortOptions: [],
  myLibrarySortOptions: [],
  enableBuyWithCredits: false,
  showNewsletterControls: false,
  newsletterSignupText: '',
  purchaseCountries: [],
  creditsPerRenewal: 0,
  creditCurrency: '',
  enableMblurb: false,
  subscribeButtonText: '',
  subscribeButtonSubText: '',
  hideFilters: false,
  enableGiftingTitle: false,
  showRelatedTitles: true,
  shopifyShop: '',
  storeUrl: '',
  storeUrlAlt: '',
};

const defaults: StoreProperties = { ...parse(StoreProperties, { shelfId: 'demo' }), ...specifiedDefaults };

describe('defaults of specification section 9', () => {
  test('an answer with a ShelfId alone has all defaults [S9.display-texts] [S9.on] [S9.off] [S9.credits-per-renewal] [S9.site-name]', async () => {
    expect(await readProperties('')).toEqual(defaults);
  });
  test('empty fields and unreadable flags have their defaults', async () => {
    const empty = Object.keys(defaults)
      .filter((name) => name !== 'shelfId')
      .map((name) => `<${name}/>`);
    expect(await readProperties(`${empty.join('')}<EnableEbook>perhaps</EnableEbook><EnableTax>perhaps</EnableTax>`)).toEqual(
      defaults,
    );
  });
  test('help and app-store links fall back to the configured ones [S9.links]', async () => {
    const appStoreUrls = [{ type: 'Apple' as const, url: 'https://apps.test/colophon' }];
    const { api } = createFakeServer([propertiesResponse('')], {
      config: { ...config, appStoreUrls, helpUrl: 'https://help.test/' },
    });
    expect(await fetchStoreProperties(api)).toEqual({ ...defaults, appStoreUrls, faq: 'https://help.test/' });
  });
  test('app-store links are null without configured ones', async () => {
    expect((await readProperties('<ShelfName>Keeper &amp; Co</ShelfName>')).appStoreUrls).toBeNull();
  });
  test('an empty list of configured app-store links stays empty [S9.links]', async () => {
    const { api } = createFakeServer([propertiesResponse('')], { config: { ...config, appStoreUrls: [] } });
    expect((await fetchStoreProperties(api)).appStoreUrls).toEqual([]);
  });
});

test('store properties of every kind are mapped to the model [S3.store-properties] [S7.store/properties]', async () => {
  const storeProperties = await readProperties(`
    <ShelfName>Keeper &amp; Co</ShelfName><ShelfLogo>/brand/logo.svg</ShelfLogo><ShelfColor>#0A7c66</ShelfColor>
    <FavIcon>https://cdn.test/icon.png</FavIcon>
    <AppStoreUrls>
      <AppStoreUrl><Type>GooglePlay</Type><Url>https://play.test/a</Url></AppStoreUrl>
      <AppStoreUrl Type="Apple" Url="https://apps.test/a"/>
      <AppStoreUrl><Type>Elsewhere</Type><Url>https://else.test/a</Url></AppStoreUrl>
    </AppStoreUrls>
    <EnableSubscription>false</EnableSubscription><EnableAudioTitle>True</EnableAudioTitle><EnableVideoTitle>1</EnableVideoTitle>
    <EbooksDisplayText>Books</EbooksDisplayText>
    <About><![CDATA[<p>About <b>us</b></p>]]></About>
    <ActionAfterPurchaseConfirmation>library</ActionAfterPurchaseConfirmation>
    <Faq>https://help.test/faq</Faq>
    <AllTitlesSortOptions>["Newest", {"text": "Title", "value": "name"}]</AllTitlesSortOptions>
    <MyLibrarySortOptions>[{"text": "Title"</MyLibrarySortOptions>
    <PurchaseCountries><Country>de</Country><Country>US</Country></PurchaseCountries>
    <CreditsPerRenewal>3</CreditsPerRenewal>`);
  expect(storeProperties).toEqual({
    ...defaults,
    shelfName: 'Keeper & Co',
    shelfLogo: 'https://shop.test/brand/logo.svg',
    shelfColor: '#0A7c66',
    favIcon: 'https://cdn.test/icon.png',
    appStoreUrls: [
      { type: 'GooglePlay', url: 'https://play.test/a' },
      { type: 'Apple', url: 'https://apps.test/a' },
    ],
    enableSubscription: false,
    enableAudioTitle: true,
    enableVideoTitle: true,
    ebooksDisplayText: 'Books',
    about: '<p>About <b>us</b></p>',
    actionAfterPurchaseConfirmation: 'library',
    faq: 'https://help.test/faq',
    allTitlesSortOptions: [
      { text: 'Newest', value: 'Newest' },
      { text: 'Title', value: 'name' },
    ],
    purchaseCountries: ['DE', 'US'],
    creditsPerRenewal: 3,
  });
});

test('a list of countries may be one text', async () => {
  for (const text of ['US, gb,Germany', '[US, gb]', '["US","gb"]'])
    expect((await readProperties(`<PurchaseCountries>${text}</PurchaseCountries>`)).purchaseCountries, text).toEqual([
      'US',
      'GB',
    ]);
});

describe('unsafe values are dropped', () => {
  test.each([
    ['ShelfLogo', 'javascript:alert(1)', 'shelfLogo', ''],
    ['ShelfLogo', 'data:text/html,&lt;script&gt;', 'shelfLogo', ''],
    ['ShelfLogo', 'data:image/png;base64,AAAA', 'shelfLogo', 'data:image/png;base64,AAAA'],
    ['FavIcon', 'vbscript:x', 'favIcon', ''],
    ['ShelfColor', 'red;background:url(//x)', 'shelfColor', ''],
    ['ShelfColor', '#12345', 'shelfColor', ''],
    ['TermsOfServiceUrl', ' JaVaScRiPt:alert(1)', 'termsOfServiceUrl', ''],
    ['TermsOfServiceUrl', 'java\nscript:alert(1)', 'termsOfServiceUrl', ''],
    ['PrivacyPolicyUrl', 'data:text/html,x', 'privacyPolicyUrl', ''],
    ['StoreUrl', 'https://shop.test', 'storeUrl', 'https://shop.test/'],
    ['ActionAfterPurchaseConfirmation', 'javascript:alert(1)', 'actionAfterPurchaseConfirmation', ''],
    ['ActionAfterPurchaseConfirmation', '/pages/public/thanks', 'actionAfterPurchaseConfirmation', '/pages/public/thanks'],
    ['SupportEmail', 'help@shop.test', 'supportEmail', 'help@shop.test'],
    ['SupportEmail', 'a@b.co?bcc=evil@x.co&amp;body=x', 'supportEmail', ''],
    ['SupportEmail', 'a@b.co?subject=x', 'supportEmail', ''],
    ['SupportEmail', 'a@b.co%2Cevil', 'supportEmail', ''],
    ['SupportEmail', 'a@b.co,evil@x.co', 'supportEmail', ''],
    ['Faq', 'javascript:alert(1)', 'faq', ''],
    ['Faq', 'Note: ask us anything', 'faq', 'Note: ask us anything'],
  ])('a store property is checked: %s %j', async (element, value, field, expected) => {
    expect(await readProperties(`<${element}>${value}</${element}>`)).toEqual({ ...defaults, [field]: expected });
  });
});

describe('an invalid store [S4.invalid-status] [S4.invalid-shelf]', () => {
  test.each([
    ['no ShelfId', '<StoreProperties><ShelfName>x</ShelfName></StoreProperties>'],
    ['an empty ShelfId', '<StoreProperties><ShelfId> </ShelfId></StoreProperties>'],
    ['Status Invalid', '<StoreProperties><ShelfId>demo</ShelfId><Status>Invalid</Status></StoreProperties>'],
    ['the error document', '<Error><StatusCode>404</StatusCode><Status>Invalid</Status><Message>x</Message></Error>'],
  ])('a store is invalid with %s', async (_, answer) => {
    expect(await catchRejection(fetchStoreProperties(createFakeServer([xml(answer)]).api))).toEqual({ kind: 'invalidStore' });
  });
  test.each([
    [
      'properties',
      () => xml('<StoreProperties><Status>Invalid</Status><SupportEmail>help@shop.test</SupportEmail></StoreProperties>'),
    ],
    ['an error', () => xml('<Error><Status>Invalid</Status><SupportEmail>help@shop.test</SupportEmail></Error>', 404)],
    ['JSON', () => json({ Status: 'Invalid', SupportEmail: 'help@shop.test' })],
  ])('an Invalid answer has the support e-mail address: %s [S2.invalid-support]', async (_, answer) => {
    const problem = await catchRejection(fetchStoreProperties(createFakeServer([answer]).api));
    expect(problem).toEqual({ kind: 'invalidStore', supportEmail: 'help@shop.test' });
  });
  test('a support e-mail address with another recipient in it is left out', async () => {
    const answer = xml('<Error><Status>Invalid</Status><SupportEmail>a@b.test?bcc=c@d.test</SupportEmail></Error>');
    expect(await catchRejection(fetchStoreProperties(createFakeServer([answer]).api))).toEqual({ kind: 'invalidStore' });
  });
});

test('a store property with an invalid number has its default', async () => {
  expect(await readProperties('<CreditsPerRenewal>many</CreditsPerRenewal>')).toMatchObject({ creditsPerRenewal: 0 });
});
