import type { ReactElement } from 'react';
import { CookieNotice } from './CookieNotice.tsx';
import type { FrameActor } from './use-frame.ts';
import { CartNotice, WishNotice } from './ListNotices.tsx';

/** The frame's notices at the lower end of the window. */
export const Notices = ({ frame }: { frame: FrameActor }): ReactElement => (
  <>
    <CookieNotice frame={frame} />
    <WishNotice />
    <CartNotice />
  </>
);
