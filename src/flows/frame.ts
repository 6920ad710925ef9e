export { frame } from '../ports/frame.ts';
export { AccountMenu } from '../views/frame/AccountMenu.tsx';
export { CookieNotice } from '../views/frame/CookieNotice.tsx';
export { Foot } from '../views/frame/Foot.tsx';
export { Suggestions } from '../views/frame/Suggestions.tsx';
export { searchProps } from '../views/frame/search-props.ts';
