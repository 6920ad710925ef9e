import { AccountMenu } from './AccountMenu.tsx';
import { CartLink } from './CartLink.tsx';
import { CreditsLink } from './CreditsLink.tsx';
import { LookMenu } from './LookMenu.tsx';
import { LookSelects } from './LookSelects.tsx';
import { searchProps } from './search-props.ts';
import { Suggestions } from './Suggestions.tsx';
import { Notices } from './Notices.tsx';
import { LateWishButton } from './LateWishButton.tsx';
import { keepWishButton } from '../views/WishButton.tsx';

export { frame } from './frame-ports.ts';

keepWishButton(LateWishButton);

export const components = { AccountMenu, CartLink, CreditsLink, LookMenu, LookSelects, Notices, Suggestions, searchProps };
