import type { FlowName } from '../../../machines/flows/registry.ts';
import { routeOf } from '../../../machines/flows/routes.ts';
import { pageNameAt } from '../../kernel/page-names.ts';
import { type HeadRequest, unlistedHead, notFoundHead } from './head-request.ts';
import { listOrTitle, setOfTitles, titleById, titleByIsbn } from './catalogue-heads.ts';
import { campaign, contentPage, information, landing, subscription } from './page-heads.ts';
import type { PageHead } from './page-head.ts';

type Params = Record<string, string>;

/** What flows say of themselves whose pages search engines may find; all others have a name at most. */
const heads: Partial<Record<FlowName, (request: HeadRequest, params: Params) => Promise<PageHead>>> = {
  landing,
  title: (request, { isbn }) => (isbn === undefined ? titleById(request) : titleByIsbn(request)),
  catalogue: (request, { type }) => (type === undefined ? setOfTitles(request) : listOrTitle(request)),
  information,
  page: contentPage,
  campaign,
  subscription,
};

/** What the page at an address says of itself. */
export async function headOf(path: string, request: HeadRequest): Promise<PageHead> {
  const { flow, params } = routeOf({ pathname: path, search: '' });
  if (flow === 'notFound' && params['page'] !== '500') return notFoundHead(request);
  const name = pageNameAt(path, request.setting.language.code);
  const head = flow === 'invalid' ? undefined : heads[flow];
  return head ? head({ ...request, name }, params) : unlistedHead(name);
}
