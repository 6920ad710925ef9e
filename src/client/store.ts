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
  const given = getItems(root, 'AppStoreUrls', 'AppStoreUrl').map((node) => ({
    type: getText(node, 'Type'),
    url: toWebAddress(getText(node, 'Url'), base),
  }));
  const usable = given.filter((each): each is AppStoreUrl => each.url !== '' && v.is(AppStoreUrl, each));
  return usable.length > 0 ? usable : config.appStoreUrls;
};

/** Countries as list items or as one text. */
const getCountries = (root: XmlNode): string[] => {
  const items = getItems(root, 'PurchaseCountries', 'Country').map((node) => node.text);
  const codes = parseCountryCodes(items.join(',') || (getText(root, 'PurchaseCountries') ?? ''));
  return codes.filter((code) => /^[A-Z]{2}$/.test(code));
};

/**
 * Checks the fields that a browser would follow, show or run; the others stay as sent, with
 * defaults filled in.
 */
const getProperties = (root: XmlNode, api: Api): unknown => {
  const fields = getFields(root, StoreProperties.entries);
  const web = (name: string) => toPageAddress(getText(root, name), api.base);
  return {
    ...fields,
    shelfLogo: toPictureAddress(getText(root, 'ShelfLogo'), api.base),
    favIcon: toPictureAddress(getText(root, 'FavIcon'), api.base),
    supportEmail: toEmailAddress(getText(root, 'SupportEmail')),
    shelfColor: toHexColor(getText(root, 'ShelfColor')),
    appStoreUrls: getAppStoreUrls(root, api),
    termsOfServiceUrl: web('TermsOfServiceUrl'),
    privacyPolicyUrl: web('PrivacyPolicyUrl'),
    cookieConsentUrl: web('CookieConsentUrl'),
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
 * @throws Problem `invalidStore` on Status Invalid or without a ShelfId, or any other, after it has
 * been reported.
 */
export const fetchStoreProperties = (api: Api, signal?: AbortSignal): Promise<StoreProperties> =>
  withFailureReport(api, callName, async () => {
    const root = await readXmlResponse(
      api,
      callName,
      api.client.GET('/store/properties', api.readOptions(signal)),
      'storeproperties',
    );
    const invalid = getText(root, 'Status')?.toLowerCase() === 'invalid';
    if (invalid || getText(root, 'ShelfId') === undefined)
      return throwProblem(invalidStoreProblem(getText(root, 'SupportEmail')));
    return validate(callName, StoreProperties, getProperties(root, api));
  });
