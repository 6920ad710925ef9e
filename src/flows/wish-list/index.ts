export { flow } from './ports.ts';
export { WishListView as Screens } from './WishListView.tsx';
