import type { NotNull } from 'kysely';
import { findTitle, type FullTitle } from '../../catalogue/find-title.ts';
import type { ContentItem } from '../../database/schema/catalogue.ts';
import { readableCopy } from '../../entitlements/ownership.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';

const SAMPLE = 'sample-';

type Opened = { title: FullTitle; instanceId: string; sample: boolean; items: ContentItem[] };

/**
 * The title of the copy that an instance id names, a refunded purchase's too; or of `sample-` and a
 * title's id.
 */
async function titleOfInstance({ services, store, customer }: CustomerCall, instanceId: string): Promise<string | undefined> {
  if (instanceId.startsWith(SAMPLE)) return instanceId.slice(SAMPLE.length);
  const row = await services.db
    .selectFrom('entitlements')
    .select('title_id')
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .where('instance_id', '=', instanceId)
    .unionAll(
      services.db
        .selectFrom('purchases')
        .select('title_id')
        .where('store_id', '=', store.id)
        .where('user_id', '=', customer.id)
        .where('id', '=', instanceId)
        .where('kind', '<>', 'gift')
        .where('title_id', 'is not', null)
        .$narrowType<{ title_id: NotNull }>(),
    )
    .executeTakeFirst();
  return row?.title_id;
}

/**
 * What the customer may open: a copy that is theirs or that their subscription opens, or a sample.
 * @throws DomainError forbidden not_owned, 404
 */
async function open(call: CustomerCall, titleId: string | undefined, wantsSample: boolean): Promise<Opened> {
  const { services, store, customer } = call;
  const title = titleId === undefined ? undefined : await findTitle(services.db, store.id, { id: titleId });
  if (!title) throw notFound('title');
  if (wantsSample) {
    const items = title.content.sample?.items ?? [];
    if (items.length === 0) throw notFound('sample');
    return { title, instanceId: `${SAMPLE}${title.id}`, sample: true, items };
  }
  const owner = { storeId: store.id, userId: customer.id, titleId: title.id };
  const instanceId = await readableCopy(services.db, owner);
  if (!instanceId) throw new DomainError('forbidden', 'This title isn’t in your library.', { code: 'not_owned' });
  const items = title.content.items ?? [];
  if (items.length === 0) throw notFound('content');
  return { title, instanceId, sample: false, items };
}

const addressOf = (
  { services, store, customer }: CustomerCall,
  { title, sample }: Opened,
  { file, mimeType }: { file: string; mimeType: string },
) => {
  const reader = sample ? null : { userId: customer.id, session: customer.tokenHash };
  return services.mediaAddress({ storeId: store.id, titleId: title.id, reader, file, mimeType });
};

/** The parts of an owned title, or of its sample. */
export async function viewerComponents(call: CustomerCall<'viewerComponents'>): Answer<'viewerComponents'> {
  const { query } = call;
  const { instanceid, titleid } = query;
  if (instanceid === undefined && titleid === undefined)
    throw new DomainError('bad_request', 'One of instanceid and titleid is needed.');
  const wantsSample = query.sample === true || instanceid?.startsWith(SAMPLE) === true;
  const named = instanceid === undefined ? undefined : await titleOfInstance(call, instanceid);
  // A sample is asked for by the title's id, in either parameter.
  const opened = await open(call, named ?? titleid ?? (wantsSample ? instanceid : undefined), wantsSample);
  return {
    titleId: opened.title.id,
    instanceId: opened.instanceId,
    name: opened.title.name,
    medium: opened.title.media,
    sample: opened.sample,
    items: opened.items.map((item) => ({
      id: item.id,
      name: item.name,
      durationSeconds: item.durationSeconds ?? null,
      ...(item.chapters && { chapters: item.chapters }),
      captions: (item.captions ?? []).map(({ file, language }) => ({
        url: addressOf(call, opened, { file, mimeType: 'text/vtt' }).url,
        language,
      })),
      ...(item.sampleOf && { sampleOf: item.sampleOf }),
    })),
  };
}

/** Where one part's content is: a signed address that expires. */
export async function viewerUrl(call: CustomerCall<'viewerUrl'>): Answer<'viewerUrl'> {
  const { query } = call;
  const wantsSample = query.sample === true || query.instanceid.startsWith(SAMPLE);
  const opened = await open(call, await titleOfInstance(call, query.instanceid), wantsSample);
  const item = opened.items.find((each) => each.id === query.content);
  if (!item) throw notFound('content');
  const { url, expiresAt, expiresIn } = addressOf(call, opened, item);
  return { url, expiresAt: expiresAt.toISOString(), expiresIn };
}
