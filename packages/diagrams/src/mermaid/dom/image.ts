// `new Image()`: knows the size of a picture that came along with the diagram. Another is not fetched, and a box of the size
// that a browser gives to a broken one stands in its place.

import { imageSizeOf } from "../../svg/data-image.ts";

const PLACEHOLDER_PX = 60;

export class ImageOfData {
  src = "";

  get complete(): boolean {
    return true;
  }

  get naturalWidth(): number {
    return imageSizeOf(this.src)?.width ?? PLACEHOLDER_PX;
  }

  get naturalHeight(): number {
    return imageSizeOf(this.src)?.height ?? PLACEHOLDER_PX;
  }

  async decode(): Promise<void> {
    // There is nothing to wait for.
  }
}
