import type { NotNull } from 'kysely';
import { findTitle, type FullTitle } from '../../catalogue/find-title.ts';
import type { ContentItem } from '../../database/schema/catalogue.ts';
import { findReadableCopy } from '../../entitlements/ownership.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';

const SAMPLE_PREFIX = 'sample-';

type OpenedTitle = { title: FullTitle; instanceId: string; sample: boolean; items: ContentItem[] };

/**
 * The title of the copy with an instance id, even of a refunded purchase; or that of `sample-` and
 * a title's id.
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
 * Checks what the customer may open: a copy that they own or that their subscription includes, or a
 * sample.
 * @throws DomainError forbidden not_owned, 404
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

const toAddress = (
  { services, store, customer }: CustomerCall,
  { title, sample }: OpenedTitle,
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
    throw new DomainError('bad_request', 'Either instanceid or titleid is required.');
  const wantsSample = query.sample === true || instanceid?.startsWith(SAMPLE_PREFIX) === true;
  const named = instanceid === undefined ? undefined : await findTitleOfInstance(call, instanceid);
  // A sample is requested by the title's id, in either parameter.
  const opened = await openTitle(call, named ?? titleid ?? (wantsSample ? instanceid : undefined), wantsSample);
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
        url: toAddress(call, opened, { file, mimeType: 'text/vtt' }).url,
        language,
      })),
      ...(item.sampleOf && { sampleOf: item.sampleOf }),
    })),
  };
}

/** The address of one part's content: signed and expiring. */
export async function viewerUrl(call: CustomerCall<'viewerUrl'>): Answer<'viewerUrl'> {
  const { query } = call;
  const wantsSample = query.sample === true || query.instanceid.startsWith(SAMPLE_PREFIX);
  const opened = await openTitle(call, await findTitleOfInstance(call, query.instanceid), wantsSample);
  const item = opened.items.find((each) => each.id === query.content);
  if (!item) throw notFound('content');
  const { url, expiresAt, expiresIn } = toAddress(call, opened, item);
  return { url, expiresAt: expiresAt.toISOString(), expiresIn };
}
