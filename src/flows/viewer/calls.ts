import * as v from 'valibot';
import {
  Captions,
  contextKey,
  type Locator,
  type Position,
  type Publication,
  sampleKey,
  ViewerItem,
} from '../../../machines/model/reading/reading.ts';
import { Medium, type TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { type Base, webAddress } from '../../client/wire/address.ts';
import type { Api } from '../../client/wire/client.ts';
import { jsonAnswer } from '../../client/wire/json.ts';
import { purchases } from '../../client/library/library.ts';
import { withAge, viewerProgress, type ServerPlace } from '../../client/library/places.ts';
import { titleById } from '../../client/catalogue/title.ts';

const Components = (base: Base) => {
  const web = v.pipe(
    v.string(),
    v.transform((text) => webAddress(text, base)),
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
  // The specification names none of these fields: missing ones follow from the call.
  return v.object({
    titleId: v.optional(v.string(), ''),
    instanceId: v.optional(v.string(), ''),
    name: v.optional(v.string(), ''),
    medium: v.optional(Medium),
    sample: v.fallback(v.optional(v.boolean(), false), false),
    items: v.optional(v.array(Item), []),
  });
};

/** What to open: a copy by its instance id, or a title's sample. */
type Opening = { instanceId: string } | { titleId: string; sample: true };

/** The title that is opened, by its own id or by the customer's copy. */
const titleOf = async (api: Api, opening: Opening, titleId: string, signal?: AbortSignal): Promise<TitleSummary> => {
  if ('sample' in opening) return titleById(api, opening.titleId, signal);
  if (titleId !== '') return titleById(api, titleId, signal);
  const { titles } = await purchases(api, { type: 'all', sort: '' }, signal);
  const copy = titles.find(({ instanceId }) => instanceId === opening.instanceId);
  // A server without numbers for copies knows them by their titles.
  return copy?.title ?? titleById(api, opening.instanceId, signal);
};

/**
 * What an owned title, or a sample, is made of; the items' addresses are asked for one by one.
 * @throws Problem `refused not_owned` for a title that the customer does not have.
 */
export const viewerComponents = async (api: Api, opening: Opening, signal?: AbortSignal): Promise<Publication> => {
  // A sample is known by the title's own id.
  const query = 'sample' in opening ? { instanceid: opening.titleId, sample: true } : { instanceid: opening.instanceId };
  const sending = api.client.GET('/viewer/components', { params: { query }, ...api.reading(signal) });
  const answer = await jsonAnswer(api, 'viewer/components', sending, Components(api.base));
  const { titleId, instanceId, name, medium, items } = answer;
  const asked = 'sample' in opening ? opening.titleId : opening.instanceId;
  // An instance id may name a sample by itself.
  const sample = 'sample' in opening || answer.sample;
  const id = instanceId || asked;
  // A title of which a server names no parts is opened whole.
  const whole = { id, name, url: '', durationSeconds: null, captions: [] };
  const opened = { instanceId: id, sample, items: items.length > 0 ? items : [whole] };
  if (titleId !== '' && medium !== undefined) return { ...opened, titleId, name, medium };
  const title = await titleOf(api, opening, titleId, signal);
  return { ...opened, titleId: title.id, name: name || title.name, medium: medium ?? title.medium };
};

// Not `gtValue`: the library is one part of the first script, and nothing else needs that function.
const positive = v.pipe(
  v.number(),
  v.check((value) => value > 0),
);

/** The signed address of an item's content, and the seconds until it expires; null where the server does not know. */
export const viewerUrl = async (
  api: Api,
  { instanceId, itemId, sample }: { instanceId: string; itemId: string; sample: boolean },
  signal?: AbortSignal,
): Promise<{ url: string; expiresIn: number | null }> => {
  const query = { instanceid: instanceId, content: itemId, sample: sample || undefined };
  const sending = api.client.GET('/viewer/url', { params: { query }, ...api.reading(signal) });
  const Answer = v.object({
    url: v.pipe(
      v.string(),
      v.transform((text) => webAddress(text, api.base)),
      v.nonEmpty('no http(s) address'),
    ),
    expiresIn: v.fallback(v.nullish(positive, null), null),
  });
  return jsonAnswer(api, 'viewer/url', sending, Answer);
};

/** What a sample and the whole book consist of, in the order of reading. */
type Orders = { sample: readonly string[]; whole: readonly string[] };

/** What stands in the whole behind something that the sample lacks was the sample's end matter: the book goes on with what is new. */
const pastSample = (sampled: Locator, { sample, whole }: Orders): Locator => {
  const next = whole.findIndex((href) => !sample.includes(href));
  const href = whole[next];
  if (href === undefined || whole.indexOf(sampled.href) <= next) return sampled;
  return { ...sampled, href, progression: 0, cfi: null, label: '', page: null, pages: null };
};

/** Where in the whole title the sample was left; null where nobody tells of what the sample is cut. */
const placeInWhole = async (
  api: Api,
  titleId: string,
  sampled: Position,
  ordersOf: () => Promise<Orders | null>,
  signal?: AbortSignal,
): Promise<Position | null> => {
  if ('href' in sampled) {
    // Where they do not come, the place is taken as it is.
    const orders = await ordersOf().catch(() => null);
    const place = orders ? pastSample(sampled, orders) : sampled;
    // How much of the sample that is says nothing of the whole.
    return { ...place, totalProgression: 0 };
  }
  if (!('itemId' in sampled)) return { ...sampled, totalProgression: 0 };
  const { items } = await viewerComponents(api, { titleId, sample: true }, signal);
  const from = items.find(({ id }) => id === sampled.itemId)?.sampleOf;
  return from ? { itemId: from.itemId, seconds: from.seconds + sampled.seconds, totalProgression: 0 } : null;
};

/**
 * Where the customer left off, or null; a failure is reported and gives null (specification section 8). A title that was
 * never opened goes on where its sample was left.
 * @param ordersOf what the sample and the whole of a book consist of; null where nobody knows
 */
export const lastPlace = async (
  api: Api,
  publication: Publication,
  signal?: AbortSignal,
  ordersOf: () => Promise<Orders | null> = async () => null,
): Promise<ServerPlace | null> => {
  const { titleId, sample } = publication;
  try {
    const last = await viewerProgress(api, { titleId, contextKey: contextKey(publication) }, signal);
    if (last.place !== null || sample) return last;
    const { place: sampled } = await viewerProgress(api, { titleId, contextKey: sampleKey }, signal);
    const position = sampled && (await placeInWhole(api, titleId, sampled.position, ordersOf, signal));
    return position ? { ...last, place: withAge(api, { position, savedAt: '', device: null }) } : last;
  } catch {
    return null;
  }
};
