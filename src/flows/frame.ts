import { AccountMenu } from '../views/frame/AccountMenu.tsx';
import { CookieNotice } from '../views/frame/CookieNotice.tsx';
import { Foot } from '../views/frame/Foot.tsx';
import { searchProps } from '../views/frame/search-props.ts';
import { Suggestions } from '../views/frame/Suggestions.tsx';

export { frame } from '../ports/frame.ts';

export const parts = { AccountMenu, CookieNotice, Foot, Suggestions, searchProps };
