import * as v from 'valibot';
import {
  Captions,
  getContextKey,
  type Locator,
  type Position,
  type Publication,
  sampleKey,
  ViewerItem,
} from '../../../machines/model/reading/reading.ts';
import { Medium, type TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { type Base, toWebAddress } from '../../client/wire/address.ts';
import type { Api } from '../../client/wire/client.ts';
import { readJsonResponse } from '../../client/wire/json.ts';
import { fetchPurchases } from '../../client/library/library.ts';
import { addAge, fetchServerPlace, type ServerPlace } from '../../client/library/places.ts';
import { fetchTitle } from '../../client/catalogue/title.ts';

const ComponentsResponse = (base: Base) => {
  const WebUrl = v.pipe(
    v.string(),
    v.transform((text) => toWebAddress(text, base)),
  );
  const CaptionsList = v.pipe(
    v.array(v.object({ ...Captions.entries, url: WebUrl })),
    v.transform((captionsList) => captionsList.filter((item) => item.url !== '')),
  );
  const Item = v.object({
    ...ViewerItem.entries,
    url: v.optional(WebUrl, ''),
    durationSeconds: v.nullish(v.number(), null),
    captions: v.optional(CaptionsList, []),
  });
  // The specification names none of these fields: missing ones are derived from the call.
  return v.object({
    titleId: v.optional(v.string(), ''),
    instanceId: v.optional(v.string(), ''),
    name: v.optional(v.string(), ''),
    medium: v.optional(Medium),
    sample: v.fallback(v.optional(v.boolean(), false), false),
    items: v.optional(v.array(Item), []),
  });
};

/** The content to open: a copy by its instance id, or a title's sample. */
type OpenRequest = { instanceId: string } | { titleId: string; sample: true };

/** Fetches the opened title, by its own id or by the id of the customer's copy. */
const fetchOpenedTitle = async (api: Api, request: OpenRequest, titleId: string, signal?: AbortSignal): Promise<TitleSummary> => {
  if ('sample' in request) return fetchTitle(api, request.titleId, signal);
  if (titleId !== '') return fetchTitle(api, titleId, signal);
  const { titles } = await fetchPurchases(api, { type: 'all', sort: '' }, signal);
  const copy = titles.find(({ instanceId }) => instanceId === request.instanceId);
  // A server without ids for copies uses their titles' ids.
  return copy?.title ?? fetchTitle(api, request.instanceId, signal);
};

/**
 * Fetches the items of an owned title, or of a sample, without the URLs of their content.
 * @throws Problem `refused not_owned` for a title that the customer does not own
 */
export const fetchComponents = async (api: Api, request: OpenRequest, signal?: AbortSignal): Promise<Publication> => {
  // A sample is requested by the title's own id.
  const query = 'sample' in request ? { instanceid: request.titleId, sample: true } : { instanceid: request.instanceId };
  const responsePromise = api.client.GET('/viewer/components', { params: { query }, ...api.readOptions(signal) });
  const response = await readJsonResponse(api, 'viewer/components', responsePromise, ComponentsResponse(api.base));
  const { titleId, instanceId, name, medium, items } = response;
  const requestedId = 'sample' in request ? request.titleId : request.instanceId;
  // An instance id alone may identify a sample.
  const sample = 'sample' in request || response.sample;
  const id = instanceId || requestedId;
  // A title without a list of items has a single item.
  const singleItem = { id, name, url: '', durationSeconds: null, captions: [] };
  const common = { instanceId: id, sample, items: items.length > 0 ? items : [singleItem] };
  if (titleId !== '' && medium !== undefined) return { ...common, titleId, name, medium };
  const title = await fetchOpenedTitle(api, request, titleId, signal);
  return { ...common, titleId: title.id, name: name || title.name, medium: medium ?? title.medium };
};

// Not `v.gtValue`: Valibot is part of the first script, and no other schema would need that
// function.
const PositiveNumber = v.pipe(
  v.number(),
  v.check((value) => value > 0),
);

/**
 * Fetches the signed URL of an item's content, and the seconds until it expires; null if the server
 * does not report them.
 */
export const fetchItemUrl = async (
  api: Api,
  { instanceId, itemId, sample }: { instanceId: string; itemId: string; sample: boolean },
  signal?: AbortSignal,
): Promise<{ url: string; expiresIn: number | null }> => {
  const query = { instanceid: instanceId, content: itemId, sample: sample || undefined };
  const responsePromise = api.client.GET('/viewer/url', { params: { query }, ...api.readOptions(signal) });
  const UrlResponse = v.object({
    url: v.pipe(
      v.string(),
      v.transform((text) => toWebAddress(text, api.base)),
      v.nonEmpty('expected an http(s) URL'),
    ),
    expiresIn: v.fallback(v.nullish(PositiveNumber, null), null),
  });
  return readJsonResponse(api, 'viewer/url', responsePromise, UrlResponse);
};

/** The items of a sample and of the whole book, in reading order. */
type ReadingOrders = { sample: readonly string[]; whole: readonly string[] };

/**
 * Maps a place in a sample to the whole book. A place after the first item that the sample lacks is
 * in the sample's end matter: the whole book continues at that item.
 */
const skipSampleEnd = (sampleLocator: Locator, { sample, whole }: ReadingOrders): Locator => {
  const firstMissing = whole.findIndex((href) => !sample.includes(href));
  const href = whole[firstMissing];
  if (href === undefined || whole.indexOf(sampleLocator.href) <= firstMissing) return sampleLocator;
  return { ...sampleLocator, href, progression: 0, cfi: null, label: '', page: null, pages: null };
};

/** Maps the sample's last place to the whole title; null if the sample's extent is unknown. */
const toFullTitlePosition = async (
  api: Api,
  titleId: string,
  samplePosition: Position,
  fetchOrders: () => Promise<ReadingOrders | null>,
  signal?: AbortSignal,
): Promise<Position | null> => {
  if ('href' in samplePosition) {
    // If the reading orders cannot be loaded, the place is used unchanged.
    const orders = await fetchOrders().catch(() => null);
    const locator = orders ? skipSampleEnd(samplePosition, orders) : samplePosition;
    // Progress in the sample is not progress in the whole title.
    return { ...locator, totalProgression: 0 };
  }
  if (!('itemId' in samplePosition)) return { ...samplePosition, totalProgression: 0 };
  const { items } = await fetchComponents(api, { titleId, sample: true }, signal);
  const origin = items.find(({ id }) => id === samplePosition.itemId)?.sampleOf;
  return origin ? { itemId: origin.itemId, seconds: origin.seconds + samplePosition.seconds, totalProgression: 0 } : null;
};

/**
 * Fetches the customer's last place; null after a failure, which is reported (specification section
 * 8). A title that was never opened continues at its sample's last place.
 * @param fetchOrders fetches the reading orders of a book's sample and of the whole book; null if
 * they are unknown
 */
export const fetchLastPlace = async (
  api: Api,
  publication: Publication,
  signal?: AbortSignal,
  fetchOrders: () => Promise<ReadingOrders | null> = async () => null,
): Promise<ServerPlace | null> => {
  const { titleId, sample } = publication;
  try {
    const last = await fetchServerPlace(api, { titleId, contextKey: getContextKey(publication) }, signal);
    if (last.place !== null || sample) return last;
    const { place: samplePlace } = await fetchServerPlace(api, { titleId, contextKey: sampleKey }, signal);
    const position = samplePlace && (await toFullTitlePosition(api, titleId, samplePlace.position, fetchOrders, signal));
    return position ? { ...last, place: addAge(api, { position, savedAt: '', device: null }) } : last;
  } catch {
    return null;
  }
};
