import { defineCommand, EXIT, loadConfigOrComplain, plural } from "millrace/cli";
import { DIAGRAM_SETTINGS, type DiagramSettingValues } from "../settings.ts";

const OWN_SETTINGS = { name: "diagrams", settings: DIAGRAM_SETTINGS };

export const command = defineCommand({
  args: ["<package or file>"],
  flags: {},
  about:
    "Fonts for most scripts are included. This adds one for rarer letters, from a .ttf, .otf, .woff or .woff2 file or from\n" +
    "an installed npm package. It copies the font to the folder RENDER_FONTS. Servers use it after a restart.",
  examples: ["fonts add @expo-google-fonts/noto-sans-runic", "fonts add ./MyFont.ttf"],
  async run({ args: [from = ""] }) {
    const { addFonts } = await import("../fonts/add.ts");
    const { NoFont } = await import("../fonts/read.ts");
    const { ofWorkloads } = loadConfigOrComplain({ listens: false, workloads: [OWN_SETTINGS] });
    const { renderFonts } = ofWorkloads["diagrams"] as DiagramSettingValues;
    try {
      const added = await addFonts(from, renderFonts);
      const families = [...new Set(added.map(({ family }) => family))];
      process.stdout.write(`${families.join(", ")} (${plural(added.length, "file")}) added to ${renderFonts}.\n`);
      return EXIT.ok;
    } catch (error) {
      if (!(error instanceof NoFont)) throw error;
      process.stderr.write(`millrace: ${error.message}\n`);
      return EXIT.failed;
    }
  },
});
