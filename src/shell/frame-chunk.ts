import { AccountMenu } from './AccountMenu.tsx';
import { CookieNotice } from './CookieNotice.tsx';
import { Footer } from './Footer.tsx';
import { searchProps } from './search-props.ts';
import { Suggestions } from './Suggestions.tsx';

export { frame } from './frame-ports.ts';

export const components = { AccountMenu, CookieNotice, Footer, Suggestions, searchProps };
