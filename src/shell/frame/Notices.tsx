import type { ReactElement } from 'react';
import { CookieNotice } from './CookieNotice.tsx';
import type { FrameActor } from './use-frame.ts';
import { CartNotice, WishNotice } from './ListNotices.tsx';

/** What the frame has to say at the lower end of the window. */
export const Notices = ({ frame }: { frame: FrameActor }): ReactElement => (
  <>
    <CookieNotice frame={frame} />
    <WishNotice />
    <CartNotice />
  </>
);
