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
  const web = v.pipe(
    v.string(),
    v.transform((text) => toWebAddress(text, base)),
  );
  const shown = v.pipe(
    v.array(v.object({ ...Captions.entries, url: web })),
    v.transform((all) => all.filter((each) => each.url !== '')),
  );
  const Item = v.object({
    ...ViewerItem.entries,
    url: v.optional(web, ''),
    durationSeconds: v.nullish(v.number(), null),
    captions: v.optional(shown, []),
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

/** The opened title, by its own id or by the customer's copy. */
const fetchOpenedTitle = async (api: Api, opening: OpenRequest, titleId: string, signal?: AbortSignal): Promise<TitleSummary> => {
  if ('sample' in opening) return fetchTitle(api, opening.titleId, signal);
  if (titleId !== '') return fetchTitle(api, titleId, signal);
  const { titles } = await fetchPurchases(api, { type: 'all', sort: '' }, signal);
  const copy = titles.find(({ instanceId }) => instanceId === opening.instanceId);
  // A server without ids for copies uses their titles' ids.
  return copy?.title ?? fetchTitle(api, opening.instanceId, signal);
};

/**
 * The items of an owned title, or of a sample; each item's address is requested separately.
 * @throws Problem `refused not_owned` for a title that the customer does not own.
 */
export const fetchComponents = async (api: Api, opening: OpenRequest, signal?: AbortSignal): Promise<Publication> => {
  // A sample is requested by the title's own id.
  const query = 'sample' in opening ? { instanceid: opening.titleId, sample: true } : { instanceid: opening.instanceId };
  const sending = api.client.GET('/viewer/components', { params: { query }, ...api.readOptions(signal) });
  const answer = await readJsonResponse(api, 'viewer/components', sending, ComponentsResponse(api.base));
  const { titleId, instanceId, name, medium, items } = answer;
  const asked = 'sample' in opening ? opening.titleId : opening.instanceId;
  // An instance id alone may identify a sample.
  const sample = 'sample' in opening || answer.sample;
  const id = instanceId || asked;
  // Without a list of items, the title is opened as a whole.
  const whole = { id, name, url: '', durationSeconds: null, captions: [] };
  const opened = { instanceId: id, sample, items: items.length > 0 ? items : [whole] };
  if (titleId !== '' && medium !== undefined) return { ...opened, titleId, name, medium };
  const title = await fetchOpenedTitle(api, opening, titleId, signal);
  return { ...opened, titleId: title.id, name: name || title.name, medium: medium ?? title.medium };
};

// Not `gtValue`: the library is part of the first script, and only this would need that function.
const PositiveNumber = v.pipe(
  v.number(),
  v.check((value) => value > 0),
);

/**
 * The signed address of an item's content, and the seconds until it expires; null where the server
 * does not report them.
 */
export const fetchItemUrl = async (
  api: Api,
  { instanceId, itemId, sample }: { instanceId: string; itemId: string; sample: boolean },
  signal?: AbortSignal,
): Promise<{ url: string; expiresIn: number | null }> => {
  const query = { instanceid: instanceId, content: itemId, sample: sample || undefined };
  const sending = api.client.GET('/viewer/url', { params: { query }, ...api.readOptions(signal) });
  const Answer = v.object({
    url: v.pipe(
      v.string(),
      v.transform((text) => toWebAddress(text, api.base)),
      v.nonEmpty('no http(s) address'),
    ),
    expiresIn: v.fallback(v.nullish(PositiveNumber, null), null),
  });
  return readJsonResponse(api, 'viewer/url', sending, Answer);
};

/** The items of a sample and of the whole book, in reading order. */
type ReadingOrders = { sample: readonly string[]; whole: readonly string[] };

/**
 * A place after the first item that the sample lacks is in the sample's end matter: the whole book
 * continues at that item.
 */
const skipSampleEnd = (sampled: Locator, { sample, whole }: ReadingOrders): Locator => {
  const next = whole.findIndex((href) => !sample.includes(href));
  const href = whole[next];
  if (href === undefined || whole.indexOf(sampled.href) <= next) return sampled;
  return { ...sampled, href, progression: 0, cfi: null, label: '', page: null, pages: null };
};

/**
 * The sample's last place, mapped to the whole title; null where the sample's extent is unknown.
 */
const toPlaceInWhole = async (
  api: Api,
  titleId: string,
  sampled: Position,
  ordersOf: () => Promise<ReadingOrders | null>,
  signal?: AbortSignal,
): Promise<Position | null> => {
  if ('href' in sampled) {
    // If they cannot be loaded, the place is used unchanged.
    const orders = await ordersOf().catch(() => null);
    const place = orders ? skipSampleEnd(sampled, orders) : sampled;
    // Progress in the sample is not progress in the whole title.
    return { ...place, totalProgression: 0 };
  }
  if (!('itemId' in sampled)) return { ...sampled, totalProgression: 0 };
  const { items } = await fetchComponents(api, { titleId, sample: true }, signal);
  const from = items.find(({ id }) => id === sampled.itemId)?.sampleOf;
  return from ? { itemId: from.itemId, seconds: from.seconds + sampled.seconds, totalProgression: 0 } : null;
};

/**
 * The customer's last place, or null; a failure is reported and gives null (specification section
 * 8). A title that was never opened continues at its sample's last place.
 * @param ordersOf the items of a book's sample and of the whole; null where unknown
 */
export const fetchLastPlace = async (
  api: Api,
  publication: Publication,
  signal?: AbortSignal,
  ordersOf: () => Promise<ReadingOrders | null> = async () => null,
): Promise<ServerPlace | null> => {
  const { titleId, sample } = publication;
  try {
    const last = await fetchServerPlace(api, { titleId, contextKey: getContextKey(publication) }, signal);
    if (last.place !== null || sample) return last;
    const { place: sampled } = await fetchServerPlace(api, { titleId, contextKey: sampleKey }, signal);
    const position = sampled && (await toPlaceInWhole(api, titleId, sampled.position, ordersOf, signal));
    return position ? { ...last, place: addAge(api, { position, savedAt: '', device: null }) } : last;
  } catch {
    return null;
  }
};
