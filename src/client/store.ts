import * as v from 'valibot';
import { countryCodesIn } from '../../machines/model/store/country-list.ts';
import { AppStoreUrl, SortOption, StoreProperties } from '../../machines/model/store/store.ts';
import { colour, harmless, emailAddress, pageAddress, pictureAddress, webAddress } from './wire/address.ts';
import { xmlAnswer } from './wire/answer.ts';
import type { Api } from './wire/client.ts';
import { parsed } from './wire/json-text.ts';
import { checked, raise } from './wire/problem.ts';
import { invalidStore } from './wire/refusal.ts';
import { reportFailure } from './wire/report-failure.ts';
import { fieldsIn, itemsOf, textIn, type XmlNode } from './wire/xml-node.ts';

const call = 'store/properties';

const SortOptions = v.array(
  v.union([
    v.pipe(
      v.string(),
      v.transform((text): SortOption => ({ text, value: text })),
    ),
    SortOption,
  ]),
);

/** Options out of JSON text; text that is none gives no options, which hides the control. */
const sortOptions = (text: string | undefined): SortOption[] => {
  const result = v.safeParse(SortOptions, parsed(text ?? ''));
  return result.success ? result.output : [];
};

const appStoreUrls = (root: XmlNode, { base, config }: Api): AppStoreUrl[] | undefined => {
  const given = itemsOf(root, 'AppStoreUrls', 'AppStoreUrl').map((node) => ({
    type: textIn(node, 'Type'),
    url: webAddress(textIn(node, 'Url'), base),
  }));
  const usable = given.filter((each): each is AppStoreUrl => each.url !== '' && v.is(AppStoreUrl, each));
  return usable.length > 0 ? usable : config.appStoreUrls;
};

/** Countries as list items or as one text. */
const countries = (root: XmlNode): string[] => {
  const items = itemsOf(root, 'PurchaseCountries', 'Country').map((node) => node.text);
  const codes = countryCodesIn(items.join(',') || (textIn(root, 'PurchaseCountries') ?? ''));
  return codes.filter((code) => /^[A-Z]{2}$/.test(code));
};

/** The fields that a browser would follow, show or run get looked at; the others are the wire's, defaults filled in. */
const propertiesOf = (root: XmlNode, api: Api): unknown => {
  const fields = fieldsIn(root, StoreProperties.entries);
  const web = (name: string) => pageAddress(textIn(root, name), api.base);
  return {
    ...fields,
    shelfLogo: pictureAddress(textIn(root, 'ShelfLogo'), api.base),
    favIcon: pictureAddress(textIn(root, 'FavIcon'), api.base),
    supportEmail: emailAddress(textIn(root, 'SupportEmail')),
    shelfColor: colour(textIn(root, 'ShelfColor')),
    appStoreUrls: appStoreUrls(root, api),
    termsOfServiceUrl: web('TermsOfServiceUrl'),
    privacyPolicyUrl: web('PrivacyPolicyUrl'),
    cookieConsentUrl: web('CookieConsentUrl'),
    storeUrl: webAddress(textIn(root, 'StoreUrl'), api.base),
    storeUrlAlt: webAddress(textIn(root, 'StoreUrlAlt'), api.base),
    actionAfterPurchaseConfirmation: harmless(textIn(root, 'ActionAfterPurchaseConfirmation'), api.base),
    faq: harmless(textIn(root, 'Faq'), api.base) || (api.config.helpUrl ?? ''),
    allTitlesSortOptions: sortOptions(textIn(root, 'AllTitlesSortOptions')),
    myLibrarySortOptions: sortOptions(textIn(root, 'MyLibrarySortOptions')),
    purchaseCountries: countries(root),
    additions: api.config.additions ?? [],
    inTestMode: api.config.paymentLiveMode === false,
  };
};

/**
 * The store's configuration, defaults of specification section 9 filled in.
 * @throws Problem `invalidStore` on Status Invalid or without a ShelfId, or any other, after it has been reported.
 */
export const storeProperties = (api: Api, signal?: AbortSignal): Promise<StoreProperties> =>
  reportFailure(api, call, async () => {
    const root = await xmlAnswer(api, call, api.client.GET('/store/properties', api.reading(signal)), 'storeproperties');
    const invalid = textIn(root, 'Status')?.toLowerCase() === 'invalid';
    if (invalid || textIn(root, 'ShelfId') === undefined) return raise(invalidStore(textIn(root, 'SupportEmail')));
    return checked(call, StoreProperties, propertiesOf(root, api));
  });
