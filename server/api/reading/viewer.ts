import type { NotNull } from 'kysely';
import { findTitle, type FullTitle } from '../../catalogue/find-title.ts';
import type { ContentItem } from '../../database/schema/catalogue.ts';
import { findReadableCopy } from '../../entitlements/ownership.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';

const SAMPLE_PREFIX = 'sample-';

type OpenedTitle = { title: FullTitle; instanceId: string; sample: boolean; items: ContentItem[] };

/**
 * Returns the title's id of the copy with an instance id, even of a refunded purchase; for
 * `sample-{titleId}`, that title's id.
 */
async function findTitleOfInstance({ services, store, customer }: CustomerCall, instanceId: string): Promise<string | undefined> {
  if (instanceId.startsWith(SAMPLE_PREFIX)) return instanceId.slice(SAMPLE_PREFIX.length);
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
 * Opens a title: a copy that the customer owns or that their subscription includes, or a sample.
 * @throws DomainError forbidden not_owned, not_found
 */
async function openTitle(call: CustomerCall, titleId: string | undefined, wantsSample: boolean): Promise<OpenedTitle> {
  const { services, store, customer } = call;
  const title = titleId === undefined ? undefined : await findTitle(services.db, store.id, { id: titleId });
  if (!title) throw notFound('title');
  if (wantsSample) {
    const items = title.content.sample?.items ?? [];
    if (items.length === 0) throw notFound('sample');
    return { title, instanceId: `${SAMPLE_PREFIX}${title.id}`, sample: true, items };
  }
  const owner = { storeId: store.id, userId: customer.id, titleId: title.id };
  const instanceId = await findReadableCopy(services.db, owner);
  if (!instanceId) throw new DomainError('forbidden', 'This title isn’t in your library.', { code: 'not_owned' });
  const items = title.content.items ?? [];
  if (items.length === 0) throw notFound('content');
  return { title, instanceId, sample: false, items };
}

const createMediaUrl = (
  { services, store, customer }: CustomerCall,
  { title, sample }: OpenedTitle,
  { file, mimeType }: { file: string; mimeType: string },
) => {
  const reader = sample ? null : { userId: customer.id, session: customer.tokenHash };
  return services.mediaAddress({ storeId: store.id, titleId: title.id, reader, file, mimeType });
};

/** Returns the content items of a readable title, or of its sample. */
export async function viewerComponents(call: CustomerCall<'viewerComponents'>): Answer<'viewerComponents'> {
  const { query } = call;
  const { instanceid, titleid } = query;
  if (instanceid === undefined && titleid === undefined)
    throw new DomainError('bad_request', 'Either instanceid or titleid is required.');
  const wantsSample = query.sample === true || instanceid?.startsWith(SAMPLE_PREFIX) === true;
  const titleIdOfInstance = instanceid === undefined ? undefined : await findTitleOfInstance(call, instanceid);
  // A sample may be requested by the title's id in either parameter.
  const openedTitle = await openTitle(call, titleIdOfInstance ?? titleid ?? (wantsSample ? instanceid : undefined), wantsSample);
  return {
    titleId: openedTitle.title.id,
    instanceId: openedTitle.instanceId,
    name: openedTitle.title.name,
    medium: openedTitle.title.media,
    sample: openedTitle.sample,
    items: openedTitle.items.map((item) => ({
      id: item.id,
      name: item.name,
      durationSeconds: item.durationSeconds ?? null,
      ...(item.chapters && { chapters: item.chapters }),
      captions: (item.captions ?? []).map(({ file, language }) => ({
        url: createMediaUrl(call, openedTitle, { file, mimeType: 'text/vtt' }).url,
        language,
      })),
      ...(item.sampleOf && { sampleOf: item.sampleOf }),
    })),
  };
}

/** Returns the signed, expiring URL of a content item. */
export async function viewerUrl(call: CustomerCall<'viewerUrl'>): Answer<'viewerUrl'> {
  const { query } = call;
  const wantsSample = query.sample === true || query.instanceid.startsWith(SAMPLE_PREFIX);
  const openedTitle = await openTitle(call, await findTitleOfInstance(call, query.instanceid), wantsSample);
  const item = openedTitle.items.find((each) => each.id === query.content);
  if (!item) throw notFound('content');
  const { url, expiresAt, expiresIn } = createMediaUrl(call, openedTitle, item);
  return { url, expiresAt: expiresAt.toISOString(), expiresIn };
}
