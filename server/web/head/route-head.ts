import type { FlowName } from '../../../machines/flows/registry.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';
import { findPageName } from '../../kernel/page-names.ts';
import { type HeadRequest, createUnlistedHead, createNotFoundHead } from './head-request.ts';
import { readListOrTitleHead, readTitleSetHead, readTitleHeadById, readTitleHeadByIsbn } from './catalogue-heads.ts';
import {
  readCampaignHead,
  readContentPageHead,
  readInformationHead,
  readLandingHead,
  readSubscriptionHead,
} from './page-heads.ts';
import type { PageHead } from './page-head.ts';

type Params = Record<string, string>;

/** The heads of flows whose pages search engines may index; all others have at most a name. */
const headReaders: Partial<Record<FlowName, (request: HeadRequest, params: Params) => Promise<PageHead>>> = {
  landing: readLandingHead,
  title: (request, { isbn }) => (isbn === undefined ? readTitleHeadById(request) : readTitleHeadByIsbn(request)),
  catalogue: (request, { type }) => (type === undefined ? readTitleSetHead(request) : readListOrTitleHead(request)),
  information: readInformationHead,
  page: readContentPageHead,
  campaign: readCampaignHead,
  subscription: readSubscriptionHead,
};

/** The head of the page at an address. */
export async function readRouteHead(path: string, request: HeadRequest): Promise<PageHead> {
  const { flow, params } = parseRoute({ pathname: path, search: '' });
  if (flow === 'notFound' && params['page'] !== '500') return createNotFoundHead(request);
  const name = findPageName(path, request.context.language.code);
  const head = flow === 'invalid' ? undefined : headReaders[flow];
  return head ? head({ ...request, name }, params) : createUnlistedHead(name);
}
