import type { NextConfig } from "next";

const config: NextConfig = { serverExternalPackages: ["millrace"] };

export default config;
