import { AccountMenu } from './AccountMenu.tsx';
import { CookieNotice } from './CookieNotice.tsx';
import { LookMenu } from './LookMenu.tsx';
import { LookSelects } from './LookSelects.tsx';
import { searchProps } from './search-props.ts';
import { Suggestions } from './Suggestions.tsx';

export { frame } from './frame-ports.ts';

export const components = { AccountMenu, CookieNotice, LookMenu, LookSelects, Suggestions, searchProps };
