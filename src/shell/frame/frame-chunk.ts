import { AccountMenu } from '../header/AccountMenu.tsx';
import { CartLink } from '../header/CartLink.tsx';
import { CreditsLink } from '../header/CreditsLink.tsx';
import { LookMenu } from '../header/LookMenu.tsx';
import { LookSelects } from '../header/LookSelects.tsx';
import { searchProps } from '../header/search-props.ts';
import { Suggestions } from '../header/Suggestions.tsx';
import { Notices } from './Notices.tsx';
import { LazyWishButton } from './LazyWishButton.tsx';
import { registerWishButton } from '../../views/WishButton.tsx';

export { createFrame } from './frame-ports.ts';

registerWishButton(LazyWishButton);

export const frameComponents = { AccountMenu, CartLink, CreditsLink, LookMenu, LookSelects, Notices, Suggestions, searchProps };
