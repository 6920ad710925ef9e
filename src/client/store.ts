import * as v from 'valibot';
import { parseCountryCodes } from '../../machines/model/store/country-list.ts';
import { AppStoreUrl, SortOption, StoreProperties } from '../../machines/model/store/store.ts';
import { toHexColor, dropExecutable, toEmailAddress, toPageAddress, toPictureAddress, toWebAddress } from './wire/address.ts';
import { readXmlResponse } from './wire/xml-response.ts';
import type { Api } from './wire/client.ts';
import { parseJson } from './wire/json-text.ts';
import { validate, throwProblem } from './wire/problem.ts';
import { invalidStoreProblem } from './wire/refusal.ts';
import { withFailureReport } from './wire/report-failure.ts';
import { getFields, getItems, getText, type XmlNode } from './wire/xml-node.ts';

const callName = 'store/properties';

const SortOptions = v.array(
  v.union([
    v.pipe(
      v.string(),
      v.transform((text): SortOption => ({ text, value: text })),
    ),
    SortOption,
  ]),
);

/** Parses options from JSON text; invalid text gives no options, which hides the control. */
const parseSortOptions = (text: string | undefined): SortOption[] => {
  const result = v.safeParse(SortOptions, parseJson(text ?? ''));
  return result.success ? result.output : [];
};

const getAppStoreUrls = (root: XmlNode, { base, config }: Api): AppStoreUrl[] | undefined => {
  const urls = getItems(root, 'AppStoreUrls', 'AppStoreUrl').map((node) => ({
    type: getText(node, 'Type'),
    url: toWebAddress(getText(node, 'Url'), base),
  }));
  const validUrls = urls.filter((each): each is AppStoreUrl => each.url !== '' && v.is(AppStoreUrl, each));
  return validUrls.length > 0 ? validUrls : config.appStoreUrls;
};

/** The country codes that the store sells to, from list items or from one text. */
const getCountries = (root: XmlNode): string[] => {
  const items = getItems(root, 'PurchaseCountries', 'Country').map((node) => node.text);
  const codes = parseCountryCodes(items.join(',') || (getText(root, 'PurchaseCountries') ?? ''));
  return codes.filter((code) => /^[A-Z]{2}$/.test(code));
};

/**
 * The fields of the store, for the schema. Fields that a browser would follow, show or run are
 * sanitised; the others stay as sent.
 */
const getProperties = (root: XmlNode, api: Api): unknown => {
  const fields = getFields(root, StoreProperties.entries);
  const getPageAddress = (name: string) => toPageAddress(getText(root, name), api.base);
  return {
    ...fields,
    shelfLogo: toPictureAddress(getText(root, 'ShelfLogo'), api.base),
    favIcon: toPictureAddress(getText(root, 'FavIcon'), api.base),
    supportEmail: toEmailAddress(getText(root, 'SupportEmail')),
    shelfColor: toHexColor(getText(root, 'ShelfColor')),
    appStoreUrls: getAppStoreUrls(root, api),
    termsOfServiceUrl: getPageAddress('TermsOfServiceUrl'),
    privacyPolicyUrl: getPageAddress('PrivacyPolicyUrl'),
    cookieConsentUrl: getPageAddress('CookieConsentUrl'),
    storeUrl: toWebAddress(getText(root, 'StoreUrl'), api.base),
    storeUrlAlt: toWebAddress(getText(root, 'StoreUrlAlt'), api.base),
    actionAfterPurchaseConfirmation: dropExecutable(getText(root, 'ActionAfterPurchaseConfirmation'), api.base),
    faq: dropExecutable(getText(root, 'Faq'), api.base) || (api.config.helpUrl ?? ''),
    allTitlesSortOptions: parseSortOptions(getText(root, 'AllTitlesSortOptions')),
    myLibrarySortOptions: parseSortOptions(getText(root, 'MyLibrarySortOptions')),
    purchaseCountries: getCountries(root),
    additions: api.config.additions ?? [],
    inTestMode: api.config.paymentLiveMode === false,
    wallets: api.config.wallets ?? [],
  };
};

/**
 * The store's configuration, with the defaults of specification section 9.
 * @throws Problem `invalidStore` on Status Invalid or without a ShelfId, or of any other kind,
 * after it has been reported.
 */
export const fetchStoreProperties = (api: Api, signal?: AbortSignal): Promise<StoreProperties> =>
  withFailureReport(api, callName, async () => {
    const root = await readXmlResponse(
      api,
      callName,
      api.client.GET('/store/properties', api.readOptions(signal)),
      'storeproperties',
    );
    const isInvalid = getText(root, 'Status')?.toLowerCase() === 'invalid';
    if (isInvalid || getText(root, 'ShelfId') === undefined)
      return throwProblem(invalidStoreProblem(getText(root, 'SupportEmail')));
    return validate(callName, StoreProperties, getProperties(root, api));
  });
