import { type Asked, hidden, wrongTurn } from './asked.ts';
import { listOrTitle, setOfTitles, titleById, titleByIsbn } from './catalogue-heads.ts';
import { campaign, contentPage, information, landing, subscription, unfindable } from './page-heads.ts';
import type { PageHead } from './page-head.ts';

type Finder = (asked: Asked) => Promise<PageHead>;

/** Which head belongs to which addresses of the shop. First match wins; an address that no row matches is a wrong turn. */
const rows: [pattern: RegExp, find: Finder][] = [
  [/^\/$/, landing],
  [/^\/id:[^/]+(?:\/[^/]*)?$/, titleById],
  [/^\/isbn:[^/]+(?:\/[^/]*)?$/, titleByIsbn],
  [/^\/(?:all|ebook|audio|video)(?:\/[^/]+){0,4}$/, listOrTitle],
  [/^\/(?:catalog|titleset)\/titles\/[^/]+$/, setOfTitles],
  [/^\/(?:about|terms|privacy)$/, information],
  [/^\/pages\/(?:public|private)\/[^/]+$/, contentPage],
  [/^\/campaign\/[^/]+$/, campaign],
  [/^\/subscription(?:\.aspx)?$/, subscription],
  [/^\/signin$/, unfindable('signIn')],
  [/^\/signup$/, unfindable('signUp')],
  [/^\/forgotpassword$/, unfindable('forgotPassword')],
  // The token in it is a secret: nothing of the address is repeated.
  [/^\/resetpassword(?:\.aspx|\/[^/]+)$/, unfindable('resetPassword')],
  [/^\/redeem(?:\/[^/]+)?$/, unfindable('redeem')],
  [/^\/mylibrary(?:\/(?:ebook|audio|video))?$/, unfindable('library')],
  [/^\/account$/, unfindable('account')],
  [/^\/(?:(?:title|subscription)\/)?purchase$/, unfindable('purchase')],
  [/^\/(?:title|cart|subscription)\/purchase\/success$/, unfindable('purchase')],
  [/^\/(?:cart\/checkout|checkout\/complete)$/, unfindable('purchase')],
  [/^\/(?:viewer|pdfviewer|invalid|auth0loginCallback|500)$/, async () => hidden(undefined)],
];

/** What the page at an address says of itself. */
export async function headOf(path: string, asked: Asked): Promise<PageHead> {
  const plain = path.length > 1 ? path.replace(/(?<!\/)\/+$/, '') || '/' : path;
  const row = rows.find(([pattern]) => pattern.test(plain));
  return row ? row[1](asked) : wrongTurn(asked);
}
