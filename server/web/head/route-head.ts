import type { FlowName } from '../../../src/flows/registry.ts';
import { nameAt, routeOf } from '../../../src/flows/routes.ts';
import { type HeadRequest, unlistedHead, notFoundHead } from './head-request.ts';
import { listOrTitle, setOfTitles, titleById, titleByIsbn } from './catalogue-heads.ts';
import { campaign, contentPage, information, landing, subscription } from './page-heads.ts';
import type { PageHead } from './page-head.ts';

type Params = Record<string, string>;

/** What flows say of themselves whose pages search engines may find; all others have a name at most. */
const heads: Partial<Record<FlowName, (asked: HeadRequest, params: Params) => Promise<PageHead>>> = {
  landing,
  title: (asked, { isbn }) => (isbn === undefined ? titleById(asked) : titleByIsbn(asked)),
  catalogue: (asked, { type }) => (type === undefined ? setOfTitles(asked) : listOrTitle(asked)),
  information,
  page: (asked, { kind }) => (kind === undefined ? campaign(asked) : contentPage(asked)),
  subscription,
};

/** What the page at an address says of itself. */
export async function headOf(path: string, asked: HeadRequest): Promise<PageHead> {
  const { flow, params } = routeOf({ pathname: path, search: '' });
  if (flow === 'notFound' && params['page'] !== '500') return notFoundHead(asked);
  const name = nameAt(path)?.[asked.setting.language.code];
  const head = flow === 'invalid' ? undefined : heads[flow];
  return head ? head({ ...asked, name }, params) : unlistedHead(name);
}
