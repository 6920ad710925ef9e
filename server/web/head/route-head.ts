import type { FlowName } from '../../../machines/flows/registry.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';
import { findPageName } from '../../kernel/page-names.ts';
import { type HeadRequest, unlistedHead, notFoundHead } from './head-request.ts';
import { readListOrTitleHead, readTitleSetHead, readTitleHeadById, readTitleHeadByIsbn } from './catalogue-heads.ts';
import { campaign, contentPage, information, landing, subscription } from './page-heads.ts';
import type { PageHead } from './page-head.ts';

type Params = Record<string, string>;

/** The heads of flows whose pages search engines may index; all others have at most a name. */
const headReaders: Partial<Record<FlowName, (request: HeadRequest, params: Params) => Promise<PageHead>>> = {
  landing,
  title: (request, { isbn }) => (isbn === undefined ? readTitleHeadById(request) : readTitleHeadByIsbn(request)),
  catalogue: (request, { type }) => (type === undefined ? readTitleSetHead(request) : readListOrTitleHead(request)),
  information,
  page: contentPage,
  campaign,
  subscription,
};

/** The head of the page at an address. */
export async function readRouteHead(path: string, request: HeadRequest): Promise<PageHead> {
  const { flow, params } = parseRoute({ pathname: path, search: '' });
  if (flow === 'notFound' && params['page'] !== '500') return notFoundHead(request);
  const name = findPageName(path, request.setting.language.code);
  const head = flow === 'invalid' ? undefined : headReaders[flow];
  return head ? head({ ...request, name }, params) : unlistedHead(name);
}
